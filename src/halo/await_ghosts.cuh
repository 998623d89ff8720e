// Waiting for the planes of neighbours: in a kernel that needs them, or in one of its own ahead of it.
#pragma once

#include <cuda_runtime.h>

#include "core/cuda_launch.cuh"
#include "core/cuda_signal.cuh"
#include "halo/awaited_ghosts.hpp"

namespace tayra {

/// Sides are numbered as edges. Returns whether it had to wait.
__device__ inline bool await_ghosts(const AwaitedGhosts& awaited, int side) {
  if (!awaited.from_side[side]) return false;
  const PeerSignals& signals = *awaited.signals;
  const std::uint64_t signalled = signals.signalled[side];
  const auto have_arrived = [&] { return load_acquired(&signals.arrived[side]) >= signalled; };
  if (have_arrived()) return false;
  wait_until(have_arrived);
  return true;
}

static __global__ void await_ghosts_kernel(const __grid_constant__ AwaitedGhosts awaited) {
  grid_dependency_synchronize();
  await_ghosts(awaited, static_cast<int>(threadIdx.x));
}

inline constexpr const char* awaiting_ghosts = "waiting for neighbours' planes";

inline void enqueue_wait(const AwaitedGhosts& awaited, cudaStream_t stream) {
  launch_early(await_ghosts_kernel, {dim3(1), edges}, stream, awaiting_ghosts, awaited);
}

}  // namespace tayra
