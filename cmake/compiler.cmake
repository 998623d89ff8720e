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
# Built by Clang 14 it takes time steps that are far too long; why is not known yet.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "Tayra computes wrongly when Clang compiles it: name GCC with -DCMAKE_CXX_COMPILER=g++")
endif()
# Clang 14 warns of a | b ? c : d, and there is no doubt.
target_compile_options(tayra_compiler INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-bitwise-conditional-parentheses>)
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
if(DEFINED TAYRA_NATIVE AND NOT TAYRA_NATIVE)
  message(WARNING "TAYRA_NATIVE=OFF is now called TAYRA_PROCESSOR=any; x86-64-v3 and x86-64-v4 are faster")
  set(TAYRA_PROCESSOR any)
endif()
if(NOT TAYRA_PROCESSOR STREQUAL any)
  string(MAKE_C_IDENTIFIER "TAYRA_KNOWS_${TAYRA_PROCESSOR}" known)
  check_cxx_compiler_flag(-march=${TAYRA_PROCESSOR} ${known})
  if(NOT ${known})
    message(FATAL_ERROR "TAYRA_PROCESSOR=${TAYRA_PROCESSOR}: ${CMAKE_CXX_COMPILER} does not know it; give native, any, x86-64-v3, \
x86-64-v4 or another name that its option -march takes")
  endif()
  target_compile_options(tayra_processor INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${TAYRA_PROCESSOR}>)
endif()
