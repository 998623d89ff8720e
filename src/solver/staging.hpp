// Memory of a GPU beside the flow, where what is computed for files waits for its way to the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Takes only what the GPU can spare, and never waits. For one thread.
class Staging {
 public:
  /// Left to others: libraries that carry halos ask for memory late.
  static constexpr std::uint64_t spared = 1ull << 30;

  explicit Staging(Device device) : device_(device) {}

  /// So many bytes, free again once `left` has happened, which is to be recorded before the next call;
  /// nullptr where there is no room, and on the CPU, which has no way to go.
  std::byte* take(std::size_t bytes, Arrival::Done left) {
    for (Piece& piece : pieces_) {
      if (piece.memory.size() < bytes || !piece.left->has_happened()) continue;
      piece.left = std::move(left);
      return piece.memory.data();
    }
    if (!has_room(bytes)) return nullptr;
    pieces_.push_back({Buffer<std::byte>(device_, bytes), std::move(left)});
    return pieces_.back().memory.data();
  }

 private:
  struct Piece {
    Buffer<std::byte> memory;
    Arrival::Done left;
  };

  bool has_room(std::size_t bytes) const {
    return device_.kind == DeviceKind::cuda && free_gpu_memory(device_.number) > bytes + spared;
  }

  Device device_;
  std::vector<Piece> pieces_;
};

}  // namespace tayra
