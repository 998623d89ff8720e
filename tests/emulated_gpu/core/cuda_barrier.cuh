// Stands in for src/core/cuda_barrier.cuh.
#pragma once

#include <atomic>
#include <thread>

namespace tayra {

class SplitBarrier {
 public:
  void begin(unsigned threads) {
    threads_ = threads;
    arrived_ = rounds_ = 0;
  }
  void end() {}
  void arrive() {
    if (++arrived_ < threads_) return;
    arrived_ = 0;
    ++rounds_;
  }
  void wait(unsigned round) const {
    while (rounds_ <= round) std::this_thread::yield();
  }

 private:
  unsigned threads_;
  std::atomic<unsigned> arrived_, rounds_;
};

}  // namespace tayra
