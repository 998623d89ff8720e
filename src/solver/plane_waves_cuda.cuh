// Spectra of planes by a GPU: a thread a number, several planes at once. A pass reads a number of 16 bytes as
// often as its radix says, as a rule from caches, and writes one.
#pragma once

#include "solver/plane_waves.hpp"

namespace tayra {

inline constexpr int wave_threads = 256;

/// Blocks: along x over the cells of a plane, along y over items. planes: [item][y][x].
template <class Real>
__global__ void fill_waves_kernel(const __grid_constant__ PlanesView<Real> view, const WaveItem* items,
                                  Complex* planes) {
  const int nx = view.flow.slab.layout.nx, cells = nx * view.flow.slab.layout.ny;
  const int cell = static_cast<int>(blockIdx.x) * wave_threads + static_cast<int>(threadIdx.x);
  if (cell >= cells) return;
  planes[static_cast<std::size_t>(blockIdx.y) * cells + cell] =
      fluctuation(view, items[blockIdx.y], cell % nx, cell / nx);
}

/// Likewise, of the columns that the pass needs.
static __global__ void wave_pass_kernel(const __grid_constant__ WavePass pass, const Complex* turns, int nx,
                                        int cells, int columns, const Complex* from, Complex* to) {
  const int cell = static_cast<int>(blockIdx.x) * wave_threads + static_cast<int>(threadIdx.x);
  if (cell >= cells / nx * columns) return;
  const int x = cell % columns, y = cell / columns;
  const std::size_t plane = static_cast<std::size_t>(blockIdx.y) * cells;
  const std::size_t row = plane + static_cast<std::size_t>(y) * nx;
  to[row + x] =
      pass.along_y ? pass.value(turns, from + plane + x, nx, y) : pass.value(turns, from + row, 1, x);
}

/// A block a shell of an item, a thread a lane. out: [item][shell].
static __global__ void shell_sums_kernel(const Complex* planes, const int* waves, const int* first_wave,
                                         int nx, int cells, int shells, double* out) {
  __shared__ double sums[wave_lanes];
  const int shell = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x);
  sums[lane] = lane_sum(planes + static_cast<std::size_t>(blockIdx.y) * cells, waves, first_wave[shell],
                        first_wave[shell + 1], lane, nx);
  for (int half = wave_lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) sums[lane] += sums[lane + half];
  }
  if (lane == 0) out[static_cast<std::size_t>(blockIdx.y) * shells + shell] = sums[0];
}

}  // namespace tayra
