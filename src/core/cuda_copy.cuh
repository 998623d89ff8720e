// Copies from a GPU's memory to a block's shared memory that hold no register on their way.
#pragma once

namespace tayra {

/// Starts a copy of one word.
template <class Real>
__device__ __forceinline__ void copy_ahead(Real* to, const Real* from) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "n"(sizeof(Real))
      : "memory");
}
/// Starts a copy of 16 bytes, both ends at a multiple of 16, that does not stay in the first cache.
template <class Real>
__device__ __forceinline__ void copy_piece_ahead(Real* to, const Real* from, bool wanted) {
  asm volatile(
      "{\n"
      ".reg .pred wanted;\n"
      "setp.ne.u32 wanted, %2, 0;\n"
      "@wanted cp.async.cg.shared.global [%0], [%1], 16;\n"
      "}" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(static_cast<unsigned>(wanted))
      : "memory");
}
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace tayra
