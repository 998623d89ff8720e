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
