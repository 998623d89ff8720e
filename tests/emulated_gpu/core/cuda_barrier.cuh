// Stands in for src/core/cuda_barrier.cuh.
#pragma once

#include <cuda_runtime.h>

namespace tayra {

class SplitBarrier {
 public:
  void begin(unsigned threads) { all_ = emulated::Barrier(threads); }
  void end() { all_ = {}; }
  void arrive() { all_.arrive(); }
  void wait(unsigned round) { all_.wait(round); }

 private:
  emulated::Barrier all_;
};

}  // namespace tayra
