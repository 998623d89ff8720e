// Kernels that start while the one ahead of them on their stream still runs (programmatic dependent launch),
// so that no time is lost between the two. Each calls grid_dependency_synchronize() where it needs the
// other's work.
#pragma once

#include <cuda_runtime.h>

#include "core/cuda_check.hpp"

namespace tayra {

/// What the kernel ahead has written may be read, and what it reads may be written, from here on, by threads
/// of a kernel that was started early. A thread of each such kernel must call it, or the kernel might end
/// first.
__device__ inline void grid_dependency_synchronize() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The kernel behind may be started once all blocks have called this or ended. A kernel that waits for
/// another GPU calls it after that, if at all (docs/decisions/0307).
__device__ inline void trigger_launch_completion() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

struct LaunchShape {
  dim3 grid;
  unsigned threads;
  std::size_t shared_bytes = 0;
};

/// Of the current GPU.
inline bool may_start_early() {
  int gpu = 0, major = 0;
  check_cuda(cudaGetDevice(&gpu), "querying the current GPU");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu), "querying a GPU");
  return major >= 9;
}

template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
                  const char* doing, Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = may_start_early() ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), doing);
}

}  // namespace tayra
