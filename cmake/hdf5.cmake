# HDF5, serial where there is a choice: no file is written through MPI.
# Debian's, unpacked into a folder of its own, comes first: its compiler wrapper, which CMake would ask, knows /usr alone.
find_path(HDF5_UNPACKED hdf5.h HINTS ${HDF5_ROOT}/include $ENV{HDF5_ROOT}/include PATH_SUFFIXES hdf5/serial
          NO_CMAKE_SYSTEM_PATH NO_SYSTEM_ENVIRONMENT_PATH)
if(HDF5_UNPACKED MATCHES "hdf5/serial$")
  find_library(HDF5_UNPACKED_LIBRARY hdf5_serial PATHS ${HDF5_UNPACKED}/../../../lib
               PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH)
endif()
if(HDF5_UNPACKED_LIBRARY)
  set(HDF5_FOUND TRUE)
  set(HDF5_INCLUDE_DIRS ${HDF5_UNPACKED})
  set(HDF5_C_LIBRARIES ${HDF5_UNPACKED_LIBRARY})
  add_link_options(-Wl,--disable-new-dtags) # what HDF5 needs itself was unpacked there, too
else()
  find_package(HDF5 QUIET COMPONENTS C)
endif()
