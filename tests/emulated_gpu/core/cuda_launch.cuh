// Stands in for src/core/cuda_launch.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "core/cuda_copy.cuh"

namespace emulated {

inline std::function<void()> before_block;

}  // namespace emulated

namespace tayra {

/// What kernels know by this name; of one block after the other, and of no number before it is written to.
inline constexpr std::size_t most_shared_bytes = 227 * 1024;
extern unsigned char shared_memory[most_shared_bytes];

inline void grid_dependency_synchronize() {}
inline void trigger_launch_completion() {}

struct LaunchShape {
  dim3 grid;
  unsigned threads;
  std::size_t shared_bytes = 0;
};

template <class Kernel, class... Arguments>
void launch_early(Kernel kernel, const LaunchShape& shape, cudaStream_t, const char*,
                  const Arguments&... arguments) {
  const auto run_block = [&](dim3 place) {
    std::memset(shared_memory, 0xff, sizeof shared_memory);
    if (emulated::before_block) emulated::before_block();
    blockIdx = place;
    emulated::run_block(shape.threads, [&] { kernel(arguments...); });
    for (const emulated::Copies& copies : emulated::copies_of_threads)
      if (!copies.are_waited_for()) std::abort();  // they would write to the next block's memory
  };
  for (unsigned z = 0; z < shape.grid.z; ++z)
    for (unsigned y = 0; y < shape.grid.y; ++y)
      for (unsigned x = 0; x < shape.grid.x; ++x) run_block({x, y, z});
}

}  // namespace tayra
