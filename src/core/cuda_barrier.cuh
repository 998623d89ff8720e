// A block's barrier in two halves: work between them hides how unevenly warps arrive.
#pragma once

#include <cuda_runtime.h>

namespace tayra {

class SplitBarrier {
 public:
  /// By one thread, before any other uses it.
  __device__ __forceinline__ void begin(unsigned threads) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(threads) : "memory");
  }
  /// When all are past their last wait.
  __device__ __forceinline__ void end() {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address()) : "memory");
  }
  /// This thread's part of what others wait for is done.
  __device__ __forceinline__ void arrive() {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address()) : "memory");
  }
  /// Until all threads have arrived for the `round`-th time, counted from zero.
  __device__ __forceinline__ void wait(unsigned round) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
#if __CUDA_ARCH__ >= 900
        "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
#else
        "mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
#endif
        "@!done bra again;\n"
        "}" ::"r"(address()),
        "r"(round & 1)
        : "memory");
  }

 private:
  __device__ __forceinline__ unsigned address() const {
    return static_cast<unsigned>(__cvta_generic_to_shared(&state_));
  }
  unsigned long long state_;
};

}  // namespace tayra
