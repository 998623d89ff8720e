# What carries bytes between GPUs and processes, each where it is found: MPI, NCCL, NVSHMEM.
add_library(tayra_communication INTERFACE)

set(TAYRA_HAVE_MPI OFF)
if(MPI_CXX_FOUND)
  set(TAYRA_HAVE_MPI ON)
  target_link_libraries(tayra_communication INTERFACE MPI::MPI_CXX)
endif()

# Python's packages of NVIDIA's libraries are as good as the system's.
find_package(Python3 QUIET COMPONENTS Interpreter)
function(tayra_find_nvidia_library name header library)
  set(packages "")
  if(Python3_Interpreter_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import nvidia; print(';'.join(nvidia.__path__))"
                    OUTPUT_VARIABLE packages OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  list(TRANSFORM packages APPEND "/${name}" OUTPUT_VARIABLE hints)
  string(TOUPPER ${name} NAME)
  find_path(${NAME}_INCLUDE_DIR ${header} HINTS ENV ${NAME}_HOME ${hints} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
  find_library(${NAME}_LIBRARY NAMES ${library} HINTS ENV ${NAME}_HOME ${hints} ${CUDAToolkit_LIBRARY_DIR}
               PATH_SUFFIXES lib lib64)
endfunction()

set(TAYRA_HAVE_nccl OFF)
if(TAYRA_NCCL AND TAYRA_HAVE_CUDA)
  tayra_find_nvidia_library(nccl nccl.h "nccl;libnccl.so.2")
  if(NCCL_INCLUDE_DIR)  # the library is loaded when it is needed
    set(TAYRA_HAVE_nccl ON)
    target_include_directories(tayra_communication SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
  endif()
endif()

set(TAYRA_HAVE_put OFF)
if(TAYRA_NVSHMEM AND TAYRA_HAVE_CUDA AND TAYRA_HAVE_MPI)
  tayra_find_nvidia_library(nvshmem nvshmem_host.h "nvshmem_host;libnvshmem_host.so.3")
  if(NVSHMEM_INCLUDE_DIR AND NVSHMEM_LIBRARY)
    set(TAYRA_HAVE_put ON)
    target_include_directories(tayra_communication SYSTEM INTERFACE ${NVSHMEM_INCLUDE_DIR})
    target_link_libraries(tayra_communication INTERFACE ${NVSHMEM_LIBRARY})
  endif()
endif()

target_compile_definitions(tayra_communication INTERFACE
  TAYRA_HAVE_CUDA=$<BOOL:${TAYRA_HAVE_CUDA}> TAYRA_HAVE_MPI=$<BOOL:${TAYRA_HAVE_MPI}>
  TAYRA_HAVE_NCCL=$<BOOL:${TAYRA_HAVE_nccl}> TAYRA_HAVE_NVSHMEM=$<BOOL:${TAYRA_HAVE_put}>)
message(STATUS "Tayra: MPI ${TAYRA_HAVE_MPI}, NCCL ${TAYRA_HAVE_nccl}, NVSHMEM ${TAYRA_HAVE_put}")
