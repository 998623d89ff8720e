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

enum class Arriving { at_once, when_waited_for };
inline Arriving arriving = Arriving::at_once;

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};
inline thread_local auto batches = std::vector<std::vector<Copy>>(1);  // the last is not ended yet

/// The eldest batches, until so many are left.
inline void land(std::size_t batches_left) {
  while (batches.size() > batches_left) {
    for (const Copy& copy : batches.front()) std::memcpy(copy.to, copy.from, copy.bytes);
    batches.erase(batches.begin());
  }
}

}  // namespace emulated

namespace tayra {

enum class Reads { again, once };

inline void end_batch_of_copies() { emulated::batches.emplace_back(); }
inline void wait_for_all_batches_but_last() { emulated::land(2); }
inline void wait_for_copies() {
  emulated::land(0);
  end_batch_of_copies();
}

inline void copy_bytes_ahead(void* to, const void* from, std::size_t bytes) {
  for (const void* end : {static_cast<const void*>(to), from})
    if (reinterpret_cast<std::uintptr_t>(end) % bytes != 0) std::abort();
  if (emulated::arriving == emulated::Arriving::at_once)
    std::memcpy(to, from, bytes);
  else
    emulated::batches.back().push_back({to, from, bytes});
}
template <class Words>
void copy_ahead(Words* to, const Words* from) {
  copy_bytes_ahead(to, from, sizeof *to);
}
template <Reads, class Real>
void copy_piece_ahead(Real* to, const Real* from, bool wanted) {
  constexpr std::size_t piece = 16;
  if (wanted) copy_bytes_ahead(to, from, piece);
}

}  // namespace tayra
