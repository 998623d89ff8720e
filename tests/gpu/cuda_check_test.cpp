// Tests of what a CUDA error means for a run; they need CUDA's headers, not a GPU.
#include "core/cuda_check.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

ExitCode code_of(cudaError_t status) {
  try {
    check_cuda(status, "trying");
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::done;
}

TEST(CudaErrors, ThatBreakTheGpuSayThatItIsLost) {
  for (const cudaError_t status :
       {cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable, cudaErrorIllegalAddress,
        cudaErrorLaunchFailure, cudaErrorNoDevice, cudaErrorDevicesUnavailable, cudaErrorUnknown})
    EXPECT_EQ(code_of(status), ExitCode::lost) << cudaGetErrorName(status);
}

TEST(CudaErrors, ThatANewProcessWouldMakeAgainAreFailures) {
  for (const cudaError_t status :
       {cudaErrorMemoryAllocation, cudaErrorInvalidValue, cudaErrorInvalidConfiguration})
    EXPECT_EQ(code_of(status), ExitCode::failed) << cudaGetErrorName(status);
  EXPECT_EQ(code_of(cudaSuccess), ExitCode::done);
}

}  // namespace
}  // namespace tayra
