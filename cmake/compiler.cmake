# Flags that every C++ file of Tayra is compiled with.
add_library(tayra_compiler INTERFACE)
target_compile_options(tayra_compiler INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TAYRA_WERROR}>>:-Werror>
  # Every multiply and add rounds by itself, so that the same cell gets the same bits on any slab, lane and device.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
# GCC 12's own AVX-512 header reads an undefined register on purpose (_mm512_undefined_pd).
target_compile_options(tayra_compiler INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-uninitialized -Wno-maybe-uninitialized>)
# Without these GCC copies an AVX-512 pack in halves through memory, and the load of the whole waits for both.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-mmove-max=512 -mstore-max=512" TAYRA_WHOLE_PACK_MOVES)
if(TAYRA_WHOLE_PACK_MOVES)
  target_compile_options(tayra_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-mmove-max=512> $<$<COMPILE_LANGUAGE:CXX>:-mstore-max=512>)
endif()
if(TAYRA_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_compile_options(tayra_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${sanitizers}>)
  target_link_options(tayra_compiler INTERFACE ${sanitizers})
endif()

# The processor that they are compiled for.
add_library(tayra_processor INTERFACE)
if(TAYRA_NATIVE)
  target_compile_options(tayra_processor INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
endif()

# For the CPU's sweeps: ordered with an eye on registers, face fluxes spill at most two thirds as much.
# Only weno3's spill twice as much with these options.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND TAYRA_SANITIZE)
  # Every pack of a face on the stack, watched and not optimised, takes more than a quarter of an hour to compile.
  set(tayra_sweep_options -O1 --param=asan-stack=0 -fno-sanitize=undefined)
  set(tayra_weno3_sweep_options ${tayra_sweep_options})
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(tayra_sweep_options -fschedule-insns -fsched-pressure)
endif()
set(tayra_sweep_cpu ${PROJECT_SOURCE_DIR}/src/solver/sweep_cpu.cpp)
set(tayra_sweep_cpu_weno3 ${PROJECT_SOURCE_DIR}/src/solver/sweep_cpu_weno3.cpp)
function(tayra_tune_cpu_sweeps target)
  set_source_files_properties(${tayra_sweep_cpu} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${tayra_sweep_options}")
  set_source_files_properties(${tayra_sweep_cpu_weno3} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${tayra_weno3_sweep_options}")
endfunction()
