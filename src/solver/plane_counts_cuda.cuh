// Histograms of planes by a GPU: a thread a cell, a block a part of a plane, whose counts it adds at last.
#pragma once

#include "solver/plane_counts.hpp"

namespace tayra {

inline constexpr int count_threads = 256, count_parts = 8;

/// Blocks: the parts of the first plane, then those of the second, and so on. Adds to counts: [bin].
template <class Real>
__global__ void __launch_bounds__(count_threads)
    plane_counts_kernel(const __grid_constant__ PlanesView<Real> view, const CountedField what,
                        const int* planes, unsigned long long* counts) {
  __shared__ unsigned mine[most_bins];
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  for (int bin = thread; bin < what.bins.count; bin += count_threads) mine[bin] = 0;
  __syncthreads();
  const int nx = view.flow.slab.layout.nx, cells = nx * view.flow.slab.layout.ny;
  const int plane = planes[block / count_parts];
  for (int cell = block % count_parts * count_threads + thread; cell < cells;
       cell += count_parts * count_threads) {
    const int bin = what.bins.of(view.value(what.field, cell % nx, cell / nx, plane));
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  }
  __syncthreads();
  for (int bin = thread; bin < what.bins.count; bin += count_threads)
    if (mine[bin] > 0) atomicAdd(counts + bin, mine[bin]);
}

}  // namespace tayra
