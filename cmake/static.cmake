# Links nearly all into the programs, as a wheel needs them: they then run wherever the C library is as new as here.
# Debian has no archive of muParser. It comes along in lib/tayra, with OpenMP's library, which it needs as the programs
# do. The programs catch its exceptions: both have to use one C++ library, the system's.
set(tayra_fmt fmt::fmt-header-only)  # Debian has no archive of it
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
function(tayra_find_archive name)
  find_library(TAYRA_ARCHIVE_${name} NAMES ${name} ${ARGN} HINTS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES} REQUIRED)
endfunction()
foreach(name yaml-cpp z sz aec)
  tayra_find_archive(${name})
endforeach()
tayra_find_archive(hdf5_serial hdf5)
set(tayra_yaml ${TAYRA_ARCHIVE_yaml-cpp})
set(HDF5_C_LIBRARIES ${TAYRA_ARCHIVE_hdf5_serial} ${TAYRA_ARCHIVE_sz} ${TAYRA_ARCHIVE_aec})
set_target_properties(ZLIB::ZLIB PROPERTIES IMPORTED_LOCATION_RELEASE ${TAYRA_ARCHIVE_z})
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH $ORIGIN/../lib/tayra)
add_link_options(LINKER:--disable-new-dtags)  # searched before LD_LIBRARY_PATH, and for what muParser needs, too
