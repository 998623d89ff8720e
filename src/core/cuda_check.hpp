// Every CUDA call is checked; a failure becomes an Error that says what was being done.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "core/error.hpp"

namespace tayra {

/// Whether this process can't use the GPU any more after this error: its contents are lost.
inline bool loses_the_gpu(cudaError_t status) {
  switch (status) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorMpsRpcFailure:
    case cudaErrorExternalDevice:
    case cudaErrorContextIsDestroyed:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

inline void check_cuda(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears it: a caller that goes on must not see it at its next launch
  throw Error(loses_the_gpu(status) ? ExitCode::lost : ExitCode::failed,
              std::string("CUDA failed while ") + doing + ": " + cudaGetErrorString(status));
}

/// Makes a GPU current for a scope.
class UseDevice {
 public:
  explicit UseDevice(int number) {
    check_cuda(cudaGetDevice(&before_), "querying the current GPU");
    if (before_ != number) check_cuda(cudaSetDevice(number), "selecting a GPU");
  }
  ~UseDevice() { cudaSetDevice(before_); }
  UseDevice(const UseDevice&) = delete;
  UseDevice& operator=(const UseDevice&) = delete;

 private:
  int before_ = 0;
};

}  // namespace tayra
