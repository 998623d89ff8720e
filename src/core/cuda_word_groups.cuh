// Words of a GPU's shared memory that threads move together.
#pragma once

#include <cuda_runtime.h>

namespace tayra {

/// So many words a place, in groups of up to 16 bytes: one instruction moves a group. The groups of
/// neighbouring places lie side by side, so that threads at neighbouring places meet every bank.
template <class Real, int words, int places>
class WordGroups {
 public:
  __device__ __forceinline__ void put(int place, const Real (&values)[words]) { put_from<0>(place, values); }
  __device__ __forceinline__ void take(int place, Real (&values)[words]) const {
    take_from<0>(place, values);
  }

 private:
  template <int size>
  struct alignas(size * sizeof(Real)) Group {
    Real word[size];
  };
  /// Of the group that starts with word `first`.
  static constexpr int size_at(int first) {
    int size = 16 / sizeof(Real);
    while (size > words - first) size /= 2;
    return size;
  }
  template <int first>
  __device__ __forceinline__ void put_from(int place, const Real (&values)[words]) {
    if constexpr (first < words) {
      constexpr int size = size_at(first);
      Group<size> group;
      for (int i = 0; i < size; ++i) group.word[i] = values[first + i];
      reinterpret_cast<Group<size>*>(all_ + first * places)[place] = group;
      put_from<first + size>(place, values);
    }
  }
  template <int first>
  __device__ __forceinline__ void take_from(int place, Real (&values)[words]) const {
    if constexpr (first < words) {
      constexpr int size = size_at(first);
      const Group<size> group = reinterpret_cast<const Group<size>*>(all_ + first * places)[place];
      for (int i = 0; i < size; ++i) values[first + i] = group.word[i];
      take_from<first + size>(place, values);
    }
  }

  alignas(16) Real all_[words * places];
};

}  // namespace tayra
