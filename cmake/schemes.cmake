# Makes a source of each scheme's sweeps in each precision, for CPU and GPU, from the one list of schemes.
# So all cores take part in a build, and a scheme can be built alone.
set(list_of_schemes ${PROJECT_SOURCE_DIR}/src/physics/schemes.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_of_schemes})
file(READ ${list_of_schemes} text)
if(NOT text MATCHES "Schemes = ListOf<([^>]+)>")
  message(FATAL_ERROR "Tayra: no 'using Schemes = ListOf<...>' in ${list_of_schemes}")
endif()
string(REGEX MATCHALL "[A-Za-z0-9]+" schemes "${CMAKE_MATCH_1}")

# For the CPU's sweeps: ordered with an eye on registers, face fluxes spill at most two thirds as much. Only those of
# schemes that fill all registers anyway spill twice as much with these options.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND TAYRA_SANITIZE)
  # Every pack of a face on the stack, watched and not optimised, takes more than a quarter of an hour to compile.
  set(tayra_sweep_options -O1 --param=asan-stack=0 -fno-sanitize=undefined)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # And a source with one sweep is so small that GCC would not let it grow by all that it should inline.
  set(tayra_sweep_options -fschedule-insns -fsched-pressure --param=inline-unit-growth=200)
endif()

set(tayra_cpu_sweeps "")
set(tayra_gpu_sweeps "")
set(tuned_sweeps "")
foreach(Scheme ${schemes})
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" header ${Scheme}) # the struct MyScheme lies in my_scheme.hpp
  string(TOLOWER ${header} header)
  set(path ${PROJECT_SOURCE_DIR}/src/physics/schemes/${header}.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(STRINGS ${path} fills_registers REGEX "fills_registers = true")
  foreach(Real double float)
    set(made ${CMAKE_BINARY_DIR}/generated/sweep_${header}_${Real})
    configure_file(${PROJECT_SOURCE_DIR}/src/solver/sweep_cpu.cpp.in ${made}.cpp @ONLY)
    list(APPEND tayra_cpu_sweeps ${made}.cpp)
    if(TAYRA_SANITIZE OR NOT fills_registers)
      list(APPEND tuned_sweeps ${made}.cpp)
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/src/solver/sweep_cuda.cu.in ${made}.cu @ONLY)
    list(APPEND tayra_gpu_sweeps ${made}.cu)
  endforeach()
endforeach()

function(tayra_tune_cpu_sweeps target)
  set_source_files_properties(${tuned_sweeps} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${tayra_sweep_options}")
endfunction()
