// A GPU that is busy with something else for as long as a test wants.
#pragma once

#include "core/device.hpp"

namespace tayra {

/// From the constructor's return on no other kernel of this process begins there, until it is released. All
/// that was enqueued before must be done.
class HeldGpu {
 public:
  explicit HeldGpu(Device device);
  ~HeldGpu() { release(); }
  HeldGpu(const HeldGpu&) = delete;
  HeldGpu& operator=(const HeldGpu&) = delete;

  /// Any thread may call it.
  void release();

 private:
  Queue queue_;
  Buffer<int> released_, holds_;  // the latter by block; both in memory of the host
};

}  // namespace tayra
