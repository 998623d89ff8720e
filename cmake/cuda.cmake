# The CUDA half, built whenever a toolkit is there: for the GPUs of this machine, or else for all that Tayra runs on.
set(TAYRA_HAVE_CUDA OFF)
if(TAYRA_CUDA)
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(tayra_nvcc nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda/bin)
    if(tayra_nvcc)
      set(CMAKE_CUDA_COMPILER ${tayra_nvcc})
    endif()
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # Machine code serves all GPUs of its major version; of the others those that are newer get the newest that
    # their driver can compile.
    set(tayra_all_architectures 80-real 90 100-real 120)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND DEFINED ENV{CUDAARCHS})
      set(CMAKE_CUDA_ARCHITECTURES $ENV{CUDAARCHS} CACHE STRING "Compute capabilities, 90 for 9.0")
    elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                      OUTPUT_VARIABLE capabilities RESULT_VARIABLE failed ERROR_QUIET)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${capabilities}")
      list(REMOVE_DUPLICATES capabilities)
      list(TRANSFORM capabilities REPLACE "\\." "")
      list(FILTER capabilities INCLUDE REGEX "^([89][0-9]|[0-9][0-9][0-9])$")  # Tayra runs on none below 8.0
      if(failed OR NOT capabilities OR SKBUILD)  # a wheel is for any machine
        set(capabilities ${tayra_all_architectures})
      endif()
      set(CMAKE_CUDA_ARCHITECTURES ${capabilities} CACHE STRING "Compute capabilities, 90 for 9.0")
    endif()
    enable_language(CUDA)
    # CMake 3.25 doesn't know this compiler's C++20 flag yet.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA_STANDARD 20)
    find_package(CUDAToolkit 12.8 REQUIRED)
    set(TAYRA_HAVE_CUDA ON)
    string(REPLACE ";" "," tayra_architectures "${CMAKE_CUDA_ARCHITECTURES}")
    if(NOT tayra_architectures MATCHES "^[0-9]+(-real|-virtual)?(,[0-9]+(-real|-virtual)?)*$")
      message(FATAL_ERROR "CMAKE_CUDA_ARCHITECTURES is '${CMAKE_CUDA_ARCHITECTURES}': give numbers, such as 80-real;90")
    endif()
  endif()
endif()
message(STATUS "Tayra: CUDA ${TAYRA_HAVE_CUDA} ${tayra_architectures}")

# Compiles CUDA files with the flags that all of Tayra's are compiled with, as an object library that is part of a target.
function(tayra_add_kernels target)
  set(name ${target}_kernels)
  add_library(${name} OBJECT ${ARGN})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${name}>)
  tayra_set_up_kernels(${name})
endfunction()
function(tayra_set_up_kernels name)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE
    # No contraction: see compiler.cmake.
    -fmad=false --expt-relaxed-constexpr -lineinfo
    # A program with code for all GPUs is a fifth of the size.
    $<$<VERSION_GREATER_EQUAL:${CMAKE_CUDA_COMPILER_VERSION},13.0>:--compress-mode=size> -Xcompiler=-Wall,-Wextra
    # Up to the CUDA that has been tried: see TAYRA_WERROR.
    $<$<AND:$<BOOL:${TAYRA_WERROR}>,$<VERSION_LESS:${CMAKE_CUDA_COMPILER_VERSION},13.1>>:-Werror=all-warnings>)
endfunction()

# Keeps what ptxas says of each kernel beside its object, for tests/cost.
function(tayra_keep_ptxas_reports name)
  target_compile_options(${name} PRIVATE -Xptxas=-v)
  set(launcher ${PROJECT_SOURCE_DIR}/cmake/keep_ptxas_report.sh ${CMAKE_CUDA_COMPILER_LAUNCHER})
  set_target_properties(${name} PROPERTIES CUDA_COMPILER_LAUNCHER "${launcher}")
endfunction()
