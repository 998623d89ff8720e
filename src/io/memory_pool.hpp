// Host memory that comes back: pinned for a GPU, so that copies run at full speed beside the flow. Pinning,
// or mapping large pieces anew each time, would cost more than the copies.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "core/device.hpp"

namespace tayra {

class MemoryPool {
 public:
  explicit MemoryPool(Device device) : device_(device), shelf_(std::make_shared<Shelf>()) {}
  /// At least so many bytes, the pool's again once nobody holds them. Any thread may let go of them.
  std::shared_ptr<std::byte> take(std::size_t bytes);
  /// For a GPU: has so many pieces ready that taking them is a matter of no time.
  void stock(std::size_t bytes, std::size_t pieces);

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<Buffer<std::byte>> free;
  };
  Buffer<std::byte> find(std::size_t bytes);

  Device device_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace tayra
