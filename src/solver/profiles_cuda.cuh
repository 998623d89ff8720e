// What a GPU sums for profiles: a block a tile of a plane, a thread a column. Of a cell it reads 120 bytes in
// double precision, of which the planes above and below come from the second-level cache as a rule.
#pragma once

#include "solver/profiles.hpp"

namespace tayra {

/// What neighbours along x read of a row.
struct SharedRow {
  double numbers[4][profile_columns + 2];  // velocity and fraction, with a cell more at either end

  __device__ void put(int column, const CellGas& gas) {
    for (int axis = 0; axis < 3; ++axis) numbers[axis][column + 1] = gas.velocity[axis];
    numbers[3][column + 1] = gas.heavy_fraction;
  }
};

/// A thread's cell.
struct CellOfColumn {
  const CellGas &here, &south, &north, &below, &above;
  const SharedRow& row;
  int column;
  const Vector<double>& per_two_cells;
  const Layers& layers;

  __device__ double density() const { return here.density; }
  __device__ double specific_volume() const { return here.specific_volume; }
  __device__ double velocity(int axis) const { return here.velocity[axis]; }
  __device__ double pressure() const { return here.pressure; }
  __device__ double heavy_fraction() const { return here.heavy_fraction; }
  __device__ double mass_fraction() const { return tayra::mass_fraction(here.heavy_fraction, layers); }
  __device__ double velocity_slope(int component, int along) const {
    if (along == 0) return slope_of_row(component);
    if (along == 1) return (north.velocity[component] - south.velocity[component]) * per_two_cells[1];
    return (above.velocity[component] - below.velocity[component]) * per_two_cells[2];
  }
  __device__ double fraction_slope(int along) const {
    if (along == 0) return slope_of_row(3);
    if (along == 1) return (north.heavy_fraction - south.heavy_fraction) * per_two_cells[1];
    return (above.heavy_fraction - below.heavy_fraction) * per_two_cells[2];
  }
  __device__ double slope_of_row(int number) const {
    return (row.numbers[number][column + 2] - row.numbers[number][column]) * per_two_cells[0];
  }
};

/// Blocks: the tiles of plane 0, then those of plane 1, and so on. out: [block][profile].
template <class Real>
__global__ void __launch_bounds__(profile_columns)
    profile_tiles_kernel(const __grid_constant__ FlowView<Real> flow, const Layers layers, double* out) {
  __shared__ SharedRow row;
  __shared__ double sums[profile_count][profile_columns];
  const ProfileTiles tiles(flow.slab.layout);
  const int block = static_cast<int>(blockIdx.x), column = static_cast<int>(threadIdx.x);
  const int tile = block % tiles.count(), k = block / tiles.count();
  const int first = tiles.first_column(tile), begin = tiles.first_row(tile);
  const int columns = min(profile_columns, flow.slab.layout.nx - first);
  const int end = min(begin + profile_rows, flow.slab.layout.ny);
  const bool is_inside = column < columns;
  const Vector<double> per_two = per_two_cells(flow.spacing);
  const auto gas = [&](int y, int plane) { return gas_at(flow, layers, first + column, y, plane); };

  double mine[profile_count] = {};
  CellGas south{}, here{};
  if (is_inside) {
    south = gas(begin - 1, k);
    here = gas(begin, k);
  }
  for (int y = begin; y < end; ++y) {
    __syncthreads();  // the row before has been read
    if (is_inside) row.put(column, here);
    if (column < 2) {
      const int beside = column == 0 ? -1 : columns;
      row.put(beside, gas_at(flow, layers, first + beside, y, k));
    }
    __syncthreads();
    if (!is_inside) continue;
    const CellGas north = gas(y + 1, k), below = gas(y, k - 1), above = gas(y, k + 1);
    const CellOfColumn cell{here, south, north, below, above, row, column, per_two, layers};
    for_each_profile([&]<class Profile>(int number) { mine[number] += Profile::value(cell); });
    south = here;
    here = north;
  }

  for (int number = 0; number < profile_count; ++number) sums[number][column] = mine[number];
  for (int half = profile_columns / 2; half > 0; half /= 2) {
    __syncthreads();
    if (column < half)
      for (int number = 0; number < profile_count; ++number)
        sums[number][column] += sums[number][column + half];
  }
  __syncthreads();
  if (column < profile_count) out[static_cast<std::size_t>(block) * profile_count + column] = sums[column][0];
}

/// A block a plane, a thread a profile: the sums of its tiles.
static __global__ void profile_planes_kernel(const double* of_tiles, int tiles, double* out) {
  const std::size_t plane = blockIdx.x, number = threadIdx.x;
  double sum = 0;
  for (int tile = 0; tile < tiles; ++tile) sum += of_tiles[(plane * tiles + tile) * profile_count + number];
  out[plane * profile_count + number] = sum;
}

}  // namespace tayra
