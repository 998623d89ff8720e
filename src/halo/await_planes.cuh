// Waiting for the planes of neighbours: in a kernel that needs them, or in one of its own ahead of it.
#pragma once

#include <cuda_runtime.h>

#include "core/cuda_launch.cuh"
#include "core/cuda_signal.cuh"
#include "halo/awaited_planes.hpp"

namespace tayra {

/// Side 0 is below. Returns whether it had to wait. When the patience is over it notes the neighbour's rank,
/// and from then on nobody waits.
__device__ inline bool await_planes(const AwaitedPlanes& awaited, int side) {
  if (awaited.ranks[side] < 0) return false;
  PeerSignals& signals = *awaited.signals;
  const std::uint64_t announced = signals.announced[side];
  const auto have_landed = [&] { return load_acquired(&signals.landed[side]) >= announced; };
  volatile int& given_up = signals.given_up;  // by any block
  if (have_landed() || given_up) return false;
  if (!wait_until(have_landed, awaited.patience)) {
    given_up = 1;
    *awaited.lost_rank = awaited.ranks[side] + 1;
  }
  return true;
}

static __global__ void await_planes_kernel(const __grid_constant__ AwaitedPlanes awaited) {
  await_kernel_ahead();
  await_planes(awaited, static_cast<int>(threadIdx.x));
}

inline constexpr const char* awaiting_planes = "waiting for neighbours' planes";

inline void enqueue_wait(const AwaitedPlanes& awaited, cudaStream_t stream) {
  launch_early(await_planes_kernel, {dim3(1), 2}, stream, awaiting_planes, awaited);
}

}  // namespace tayra
