# Script: writes tayra_version.hpp, touching it only when the commit has changed.
cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
if(GIT)
  execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"#pragma once
namespace tayra {
inline constexpr const char* version = \"@VERSION@\";
inline constexpr const char* commit = \"@commit@\";
}  // namespace tayra
" @ONLY)
