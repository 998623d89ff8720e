// Waiting, in a kernel, for the planes of a neighbour.
#pragma once

#include "core/cuda_signal.cuh"
#include "halo/awaited_planes.hpp"

namespace tayra {

/// Side 0 is below. Whether the planes had not landed yet; notes a neighbour that takes too long.
__device__ inline bool await_planes(const AwaitedPlanes& awaited, int side) {
  if (awaited.ranks[side] < 0) return false;
  PeerSignals& signals = *awaited.signals;
  const std::uint64_t announced = signals.announced[side];
  const auto have_landed = [&] { return load_acquired(&signals.landed[side]) >= announced; };
  if (have_landed() || signals.given_up) return false;
  if (!wait_until(have_landed, awaited.patience)) {
    signals.given_up = 1;
    *awaited.lost_rank = awaited.ranks[side] + 1;
  }
  return true;
}

}  // namespace tayra
