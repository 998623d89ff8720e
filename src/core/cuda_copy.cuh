// Copies from a GPU's memory to a block's shared memory that hold no register on their way.
#pragma once

namespace tayra {

/// Starts a copy that the thread itself will read.
template <class Real>
__device__ __forceinline__ void copy_ahead(Real* to, const Real* from) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "n"(sizeof(Real))
      : "memory");
}
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace tayra
