// What the sweep's kernel wants of CUDA, on a CPU: a thread for each thread of a block, one block after the
// other. It stands in for the real header, as the files in core/ do for those of src/core, and comes after
// the standard library's.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

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
inline thread_local dim3 threadIdx, blockIdx;

namespace emulated {

constexpr int warp_threads = 32;

struct Warp {
  std::barrier<> all{warp_threads};
  std::array<std::uint64_t, warp_threads> words{};
};

struct Block {
  explicit Block(int threads) : all(threads), warps(threads / warp_threads) {}
  std::barrier<> all;
  std::vector<Warp> warps;
};
inline thread_local Block* block = nullptr;

/// The value of another lane of the warp; its own where there is none.
template <class Word>
Word from_lane(Word own, int lane) {
  Warp& warp = block->warps[threadIdx.x / warp_threads];
  std::memcpy(&warp.words[threadIdx.x % warp_threads], &own, sizeof own);
  warp.all.arrive_and_wait();
  if (lane >= 0 && lane < warp_threads) std::memcpy(&own, &warp.words[lane], sizeof own);
  warp.all.arrive_and_wait();
  return own;
}

}  // namespace emulated

template <class Word>
Word __shfl_sync(unsigned, Word word, int lane) {
  return emulated::from_lane(word, lane);
}
template <class Word>
Word __shfl_up_sync(unsigned, Word word, int by) {
  return emulated::from_lane(word, static_cast<int>(threadIdx.x % emulated::warp_threads) - by);
}
template <class Word>
Word __shfl_down_sync(unsigned, Word word, int by) {
  return emulated::from_lane(word, static_cast<int>(threadIdx.x % emulated::warp_threads) + by);
}

inline unsigned __reduce_max_sync(unsigned, unsigned own) {
  unsigned most = own;
  for (int lanes = 1; lanes < emulated::warp_threads; lanes *= 2)
    most = std::max(
        most, emulated::from_lane(most, static_cast<int>(threadIdx.x % emulated::warp_threads) ^ lanes));
  return most;
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned own) { return ~__reduce_max_sync(mask, ~own); }
inline bool __any_sync(unsigned mask, bool own) { return __reduce_max_sync(mask, own) != 0; }

inline void __syncwarp() {
  emulated::block->warps[threadIdx.x / emulated::warp_threads].all.arrive_and_wait();
}
inline void __syncthreads() { emulated::block->all.arrive_and_wait(); }

template <class Word>
Word atomicAdd(Word* to, std::type_identity_t<Word> value) {
  return std::atomic_ref(*to).fetch_add(value);
}
template <class Word>
void atomicOr(Word* to, std::type_identity_t<Word> value) {
  std::atomic_ref(*to) |= value;
}
template <class Word>
void atomicMin(Word* to, std::type_identity_t<Word> value) {
  for (Word now = std::atomic_ref(*to);
       value < now && !std::atomic_ref(*to).compare_exchange_weak(now, value);) {
  }
}
template <class Word>
void atomicMax(Word* to, std::type_identity_t<Word> value) {
  for (Word now = std::atomic_ref(*to);
       value > now && !std::atomic_ref(*to).compare_exchange_weak(now, value);) {
  }
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
