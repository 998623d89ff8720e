# HDF5, serial where there is a choice: no file is written through MPI.
find_package(HDF5 COMPONENTS C)
if(NOT HDF5_FOUND)
  if(CMAKE_BINARY_DIR MATCHES " ") # its compiler wrapper, which CMake asks where it lies, takes no such path
    message(FATAL_ERROR "HDF5 can't be found from a folder with a space in its path (${CMAKE_BINARY_DIR}): put Tayra where there is none.")
  endif()
  message(FATAL_ERROR "HDF5 can't be found: scripts/install_dependencies.sh installs it, or name its folder with -DHDF5_ROOT=...")
endif()
message(STATUS "Tayra: HDF5 ${HDF5_VERSION}")
find_package(ZLIB REQUIRED) # which HDF5 needs, too
