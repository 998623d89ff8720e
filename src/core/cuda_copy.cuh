// Copies from a GPU's memory to a block's shared memory that hold no register on their way.
#pragma once

namespace tayra {

/// Starts a copy of 4, 8 or 16 bytes, both ends at a multiple of that.
template <class Words>
__device__ __forceinline__ void copy_ahead(Words* to, const Words* from) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "n"(sizeof(Words))
      : "memory");
}

/// Whether anything reads the same words again soon; if not, they are the first to leave the L2 cache.
enum class Reads { again, once };

/// Made once, where it is wanted first: the statement is not volatile.
__device__ __forceinline__ unsigned long long first_to_leave() {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/// Starts a copy of 16 bytes, both ends at a multiple of 16, that does not stay in the first cache.
template <Reads reads, class Real>
__device__ __forceinline__ void copy_piece_ahead(Real* to, const Real* from, bool wanted) {
  const auto place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (reads == Reads::once)
    asm volatile(
        "{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %2, 0;\n"
        "@wanted cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %3;\n"
        "}" ::"r"(place),
        "l"(from), "r"(static_cast<unsigned>(wanted)), "l"(first_to_leave())
        : "memory");
  else
    asm volatile(
        "{\n"
        ".reg .pred wanted;\n"
        "setp.ne.u32 wanted, %2, 0;\n"
        "@wanted cp.async.cg.shared.global [%0], [%1], 16;\n"
        "}" ::"r"(place),
        "l"(from), "r"(static_cast<unsigned>(wanted))
        : "memory");
}

/// What this thread has started since the last batch.
__device__ __forceinline__ void end_batch_of_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void wait_for_all_batches_but_last() {
  asm volatile("cp.async.wait_group 1;" ::: "memory");
}
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace tayra
