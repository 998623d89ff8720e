# The version and commit that a binary reports, refreshed at every build.
find_package(Git QUIET)
add_custom_target(tayra_version BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/tayra_version.hpp
  COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DOUTPUT=${CMAKE_BINARY_DIR}/generated/tayra_version.hpp -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake)
