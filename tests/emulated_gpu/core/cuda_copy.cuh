// Stands in for src/core/cuda_copy.cuh. A GPU's copies land at any time until they are waited for; here at
// the earliest or at the latest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace emulated {

enum class Landing { at_once, when_waited_for };
inline Landing landing = Landing::at_once;

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};
inline thread_local std::vector<Copy> copies_under_way;

}  // namespace emulated

namespace tayra {

inline void wait_for_copies() {
  for (const emulated::Copy& copy : emulated::copies_under_way) std::memcpy(copy.to, copy.from, copy.bytes);
  emulated::copies_under_way.clear();
}

inline void copy_bytes_ahead(void* to, const void* from, std::size_t bytes) {
  emulated::copies_under_way.push_back({to, from, bytes});
  if (emulated::landing == emulated::Landing::at_once) wait_for_copies();
}
template <class Real>
void copy_ahead(Real* to, const Real* from) {
  copy_bytes_ahead(to, from, sizeof *to);
}
template <class Real>
void copy_piece_ahead(Real* to, const Real* from, bool wanted) {
  constexpr std::size_t piece = 16;
  if (!wanted) return;
  for (const void* end : {static_cast<const void*>(to), static_cast<const void*>(from)})
    if (reinterpret_cast<std::uintptr_t>(end) % piece != 0) std::abort();
  copy_bytes_ahead(to, from, piece);
}

}  // namespace tayra
