// What the sweep's kernel wants of CUDA, on a CPU: a fiber for each thread of a block, one block after the
// other. It stands in for the real header, as the files in core/ do for those of src/core, and comes after
// the standard library's.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <tuple>
#include <type_traits>

#include "block.hpp"

#define __global__
#define __device__
#define __shared__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
inline dim3 threadIdx, blockIdx;

namespace emulated {

inline int lane() { return static_cast<int>(threadIdx.x % warp_threads); }

template <class Word>
Word from_lane(Word own, int lane) {
  std::uint64_t word = 0;
  std::memcpy(&word, &own, sizeof own);
  word = word_from_lane(word, lane);
  std::memcpy(&own, &word, sizeof own);
  return own;
}

}  // namespace emulated

template <class Word>
Word __shfl_sync(unsigned, Word word, int lane) {
  return emulated::from_lane(word, lane);
}
template <class Word>
Word __shfl_up_sync(unsigned, Word word, int by) {
  return emulated::from_lane(word, emulated::lane() - by);
}
template <class Word>
Word __shfl_down_sync(unsigned, Word word, int by) {
  return emulated::from_lane(word, emulated::lane() + by);
}

inline unsigned __reduce_max_sync(unsigned, unsigned own) {
  unsigned most = own;
  for (int lanes = 1; lanes < static_cast<int>(emulated::warp_threads); lanes *= 2)
    most = std::max(most, emulated::from_lane(most, emulated::lane() ^ lanes));
  return most;
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned own) { return ~__reduce_max_sync(mask, ~own); }
inline bool __any_sync(unsigned mask, bool own) { return __reduce_max_sync(mask, own) != 0; }

inline void __syncwarp() { emulated::barrier_of_warp().arrive_and_wait(); }
inline void __syncthreads() { emulated::barrier_of_block().arrive_and_wait(); }

// Atomics order nothing but what they touch.
template <class Word>
Word atomicAdd(Word* to, std::type_identity_t<Word> value) {
  return std::atomic_ref(*to).fetch_add(value, std::memory_order_relaxed);
}
template <class Word>
void atomicOr(Word* to, std::type_identity_t<Word> value) {
  std::atomic_ref(*to).fetch_or(value, std::memory_order_relaxed);
}
template <class Word, class IsBetter>
void replace_atomically(Word* to, Word value, IsBetter is_better) {
  const std::atomic_ref word(*to);
  Word now = word.load(std::memory_order_relaxed);
  while (is_better(value, now) && !word.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}
template <class Word>
void atomicMin(Word* to, std::type_identity_t<Word> value) {
  replace_atomically(to, value, std::less<Word>());
}
template <class Word>
void atomicMax(Word* to, std::type_identity_t<Word> value) {
  replace_atomically(to, value, std::greater<Word>());
}
template <class Word>
Word __ldg(const Word* from) {
  return *from;
}
template <class Word>
void __stcs(Word* to, Word word) {
  *to = word;
}
inline int __popc(unsigned word) { return std::popcount(word); }
inline int __ffs(int word) { return word == 0 ? 0 : std::countr_zero(static_cast<unsigned>(word)) + 1; }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }

template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return std::min<std::common_type_t<A, B>>(a, b);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return std::max<std::common_type_t<A, B>>(a, b);
}

using cudaStream_t = void*;
enum cudaError_t { cudaSuccess };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
inline cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute, int) {
  return cudaSuccess;
}
