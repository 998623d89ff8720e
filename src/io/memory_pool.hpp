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
  /// Holds at most `most` bytes, unless more are taken at once: buffers given back are freed for new ones.
  MemoryPool(Device device, std::size_t most) : device_(device), shelf_(std::make_shared<Shelf>(most)) {}
  /// The pool's again once nobody holds them. Any thread may let go of them.
  std::shared_ptr<std::byte> take(std::size_t bytes);
  /// For a GPU: has so many pieces ready, or as many as it may keep, that taking them is a matter of no time.
  void stock(std::size_t bytes, std::size_t pieces);
  /// Bytes taken and kept.
  std::size_t held() const;

 private:
  struct Shelf {
    explicit Shelf(std::size_t most_bytes) : most(most_bytes) {}
    const std::size_t most;
    std::mutex mutex;
    std::size_t held = 0;
    std::vector<Buffer<std::byte>> free;
  };
  Buffer<std::byte> find(std::size_t bytes);

  Device device_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace tayra
