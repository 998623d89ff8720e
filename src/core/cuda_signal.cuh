// Flags between GPUs and processes (release, acquire): who has read one sees all that was stored before it.
#pragma once

#include <cstdint>

namespace tayra {

template <class Word>
__device__ inline void store_released(Word* to, Word value) {
  if constexpr (sizeof(Word) == 8)
    asm volatile("st.release.sys.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
  else
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

template <class Word>
__device__ inline Word load_acquired(const Word* from) {
  Word value;
  if constexpr (sizeof(Word) == 8)
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  else
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/// For ever, if need be: a watchdog ends a process whose GPUs wait for too long.
template <class Condition>
__device__ void wait_until(Condition holds) {
  while (!holds()) {
  }
}

}  // namespace tayra
