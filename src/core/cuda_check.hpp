// Every CUDA call is checked; a failure becomes an Error that says what was being done.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "core/error.hpp"

namespace tayra {

inline void check_cuda(cudaError_t status, const char* doing) {
  if (status != cudaSuccess)
    throw Error(ExitCode::failed,
                std::string("CUDA failed while ") + doing + ": " + cudaGetErrorString(status));
}

/// Makes a GPU current for a scope.
class UseDevice {
 public:
  explicit UseDevice(int number) {
    check_cuda(cudaGetDevice(&before_), "asking for the current GPU");
    if (before_ != number) check_cuda(cudaSetDevice(number), "selecting a GPU");
  }
  ~UseDevice() { cudaSetDevice(before_); }
  UseDevice(const UseDevice&) = delete;
  UseDevice& operator=(const UseDevice&) = delete;

 private:
  int before_ = 0;
};

}  // namespace tayra
