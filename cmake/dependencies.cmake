# What Tayra needs from elsewhere. All that is missing is told at once: the variable that names its folder, and what
# Debian calls it (scripts/install_dependencies.sh reads that).

# Where `scripts/quickstart.sh --without-root` unpacks packages.
if(EXISTS ${PROJECT_SOURCE_DIR}/.deps/usr)
  list(APPEND CMAKE_PREFIX_PATH ${PROJECT_SOURCE_DIR}/.deps/usr)
endif()

set(tayra_missing "")
function(tayra_need found name variable packages)
  if(NOT found)
    string(APPEND tayra_missing "\n  ${name}: -D${variable}=FOLDER (Debian: ${packages})")
    set(tayra_missing "${tayra_missing}" PARENT_SCOPE)
  endif()
endfunction()

find_package(OpenMP QUIET COMPONENTS CXX)
tayra_need("${OpenMP_CXX_FOUND}" "OpenMP for ${CMAKE_CXX_COMPILER}" OpenMP_ROOT libomp-dev)
if(TAYRA_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  # Debian's openmpi-bin alone has the wrapper without mpi.h, and CMake would stop there.
  find_program(tayra_mpi_wrapper NAMES mpicxx HINTS ${MPI_HOME} ENV MPI_HOME PATH_SUFFIXES bin)
  mark_as_advanced(tayra_mpi_wrapper)
  set(tayra_mpi_header 0)
  if(tayra_mpi_wrapper AND NOT MPI_CXX_COMPILER AND NOT MPI_CXX_INCLUDE_DIRS)
    file(WRITE ${PROJECT_BINARY_DIR}/mpi_header.cpp "#include <mpi.h>\n")
    execute_process(COMMAND ${tayra_mpi_wrapper} -E ${PROJECT_BINARY_DIR}/mpi_header.cpp
                    RESULT_VARIABLE tayra_mpi_header OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(tayra_mpi_header EQUAL 0)
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
  if(NOT MPI_CXX_FOUND)
    message(STATUS "Tayra: one process alone, as there is no MPI: -DMPI_HOME=FOLDER (Debian: libopenmpi-dev)")
  endif()
endif()
include(cmake/hdf5.cmake)
tayra_need("${HDF5_FOUND}" "${tayra_hdf5_name}" HDF5_ROOT libhdf5-dev)
find_package(ZLIB QUIET) # which HDF5 needs, too
tayra_need("${ZLIB_FOUND}" zlib ZLIB_ROOT zlib1g-dev)
foreach(need yaml-cpp:libyaml-cpp-dev muparser:libmuparser-dev CLI11:libcli11-dev fmt:libfmt-dev)
  string(REPLACE : ";" need ${need})
  list(GET need 0 name)
  list(GET need 1 packages)
  find_package(${name} QUIET)
  tayra_need("${${name}_FOUND}" ${name} ${name}_ROOT ${packages})
endforeach()
if(TAYRA_TESTS)
  find_package(GTest QUIET)
  if(NOT TARGET GTest::gtest OR NOT TARGET GTest::gmock)
    message(STATUS "Tayra: no tests, as there is no GoogleTest: -DGTest_ROOT=FOLDER (Debian: libgtest-dev libgmock-dev)")
    set(TAYRA_TESTS OFF)
  endif()
endif()

if(tayra_missing)
  message(FATAL_ERROR "Tayra can't be built yet, as these are missing:${tayra_missing}
CMAKE_PREFIX_PATH names folders for all of them. On Debian and Ubuntu scripts/install_dependencies.sh installs them, \
and scripts/quickstart.sh --without-root unpacks them beside the source. More: docs/install.md")
endif()
