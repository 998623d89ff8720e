# Where programs look for their libraries: in the folders that they were linked from, also once installed. CMake would end
# the list for the build folder with a colon, to make room for another one at installation, and the loader reads the
# empty entry behind it as the current directory: a library that lies among somebody's results would be run.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
# That leaves out folders in the source tree, where a Python environment or fetched packages may lie.
get_target_property(fmt_library fmt::fmt LOCATION)
foreach(library ${fmt_library} ${HDF5_C_LIBRARIES} ${NVSHMEM_LIBRARY})
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${library}" NORMALIZE lies_in_tree)
  if(lies_in_tree)
    cmake_path(GET library PARENT_PATH folder)
    list(APPEND CMAKE_INSTALL_RPATH ${folder})
  endif()
endforeach()
# And NCCL's, which is loaded rather than linked.
if(NCCL_LIBRARY)
  cmake_path(GET NCCL_LIBRARY PARENT_PATH folder)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND CMAKE_INSTALL_RPATH ${folder})
  endif()
endif()
