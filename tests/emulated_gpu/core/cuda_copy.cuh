// Stands in for src/core/cuda_copy.cuh. A GPU's copies read and write at any time until they are waited for:
// here what they write is no number until then, and stays none if what they read has changed since.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace emulated {

/// Those of a thread.
class Copies {
  static constexpr std::size_t most_bytes = 16;
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    unsigned batch;
    std::array<unsigned char, most_bytes> at_first;
  };

 public:
  void start(void* to, const void* from, std::size_t bytes) {
    for (const void* end : {static_cast<const void*>(to), from})
      if (reinterpret_cast<std::uintptr_t>(end) % bytes != 0) std::abort();
    Copy& copy = under_way_.emplace_back(Copy{to, from, bytes, batch_, {}});
    std::memcpy(copy.at_first.data(), from, bytes);
    std::memset(to, 0xff, bytes);
  }
  void end_batch() { ++batch_; }
  void wait_for_all_batches_but_last() {
    std::size_t count = 0;
    while (count < under_way_.size() && under_way_[count].batch + 1 < batch_) ++count;
    finish(count);
  }
  void wait_for_all() { finish(under_way_.size()); }
  bool are_waited_for() const { return under_way_.empty(); }

 private:
  void finish(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (const Copy& copy = under_way_[i]; std::memcmp(copy.at_first.data(), copy.from, copy.bytes) == 0)
        std::memcpy(copy.to, copy.from, copy.bytes);
    under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  std::vector<Copy> under_way_;
  unsigned batch_ = 0;  // that is not ended yet
};
inline std::array<Copies, most_threads> copies_of_threads;
inline Copies& copies() { return copies_of_threads[threadIdx.x]; }

}  // namespace emulated

namespace tayra {

enum class Reads { again, once };

inline void end_batch_of_copies() { emulated::copies().end_batch(); }
inline void wait_for_all_batches_but_last() { emulated::copies().wait_for_all_batches_but_last(); }
inline void wait_for_copies() { emulated::copies().wait_for_all(); }

template <class Words>
void copy_ahead(Words* to, const Words* from) {
  emulated::copies().start(to, from, sizeof *to);
}
template <Reads, class Real>
void copy_piece_ahead(Real* to, const Real* from, bool wanted) {
  if (wanted) emulated::copies().start(to, from, 16);
}

}  // namespace tayra
