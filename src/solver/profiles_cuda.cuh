// What a GPU sums for profiles, some planes at a time: first what slopes are made of, once a cell, then the
// tiles of these planes, a block a tile, a thread a column.
#pragma once

#include "solver/profiles.hpp"

namespace tayra {

inline constexpr int slope_numbers = 4;  // the velocity and f

/// Of a cell.
struct SlopeNumbers {
  double of[slope_numbers];

  __device__ static SlopeNumbers of_gas(const CellGas& gas) {
    return {{gas.velocity[0], gas.velocity[1], gas.velocity[2], gas.heavy_fraction}};
  }
  __device__ SlopeNumbers flipped(int axis) const {
    SlopeNumbers turned = *this;
    turned.of[axis] = -turned.of[axis];
    return turned;
  }
};

/// Those of planes `first` - 1 to `end` of a slab: [plane][number][y][x]. Of cut rows those beside them, too.
struct SlopePlanes {
  double* start;      // of row 0
  std::size_t cells;  // of a plane, with the rows beside
  int first, end;
  int rows_beside;  // below the slab's, and as many above

  __device__ SlopeNumbers at(int k, std::size_t cell) const {
    const double* from = place(k, cell);
    return {{from[0], from[cells], from[2 * cells], from[3 * cells]}};
  }
  __device__ void put(int k, std::size_t cell, const SlopeNumbers& numbers) const {
    for (int i = 0; i < slope_numbers; ++i) place(k, cell)[i * cells] = numbers.of[i];
  }

 private:
  __device__ double* place(int k, std::size_t cell) const {
    return start + static_cast<std::size_t>(k - first + 1) * slope_numbers * cells + cell;
  }
};

/// A few planes, which the second-level cache may hold, and enough for all blocks of a GPU.
inline int profile_planes_at_once(std::size_t cells) {
  constexpr std::size_t bytes = 64u << 20, least = 8;
  return static_cast<int>(std::max(least, bytes / (cells * slope_numbers * sizeof(double))));
}
inline std::size_t slope_numbers_size(std::size_t cells, int planes) {
  return (static_cast<std::size_t>(planes) + 2) * slope_numbers * cells;
}

inline constexpr int slope_threads = 256;

/// Blocks: so many cells of a plane, by planes.
template <class Real>
__global__ void __launch_bounds__(slope_threads)
    slope_numbers_kernel(const __grid_constant__ FlowView<Real> flow, const Layers layers,
                         const SlopePlanes planes) {
  const unsigned cell = blockIdx.x * slope_threads + threadIdx.x;
  if (cell >= planes.cells) return;
  const int k = planes.first - 1 + static_cast<int>(blockIdx.y);
  const int nx = flow.slab.layout.nx, x = cell % nx, y = static_cast<int>(cell / nx) - planes.rows_beside;
  planes.put(k, static_cast<std::size_t>(y) * nx + x, SlopeNumbers::of_gas(gas_at(flow, layers, x, y, k)));
}

/// What neighbours along x read of a row.
struct SharedRow {
  double numbers[slope_numbers][profile_columns + 2];  // with a cell more at either end

  __device__ void put(int column, const SlopeNumbers& cell) {
    for (int i = 0; i < slope_numbers; ++i) numbers[i][column + 1] = cell.of[i];
  }
};

/// A thread's cell.
struct CellOfColumn {
  const CellGas& here;
  const SlopeNumbers &south, &north, &below, &above;
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
  __device__ double velocity_slope(int component, int along) const { return slope(component, along); }
  __device__ double fraction_slope(int along) const { return slope(3, along); }

 private:
  __device__ double slope(int number, int along) const {
    if (along == 0) return (row.numbers[number][column + 2] - row.numbers[number][column]) * per_two_cells[0];
    if (along == 1) return (north.of[number] - south.of[number]) * per_two_cells[1];
    return (above.of[number] - below.of[number]) * per_two_cells[2];
  }
};

/// The gas of a cell whose f is known.
template <class Real>
__device__ CellGas gas_in(const FlowView<Real>& flow, int k, std::size_t cell, double heavy_fraction) {
  const State<Real> state = state_at(flow.slab.layout, flow.u, k, cell);
  CellGas gas = gas_of(state.density, state.momentum[0], state.momentum[1], state.momentum[2], state.energy,
                       flow.slab.background[k].pressure, flow.gamma - 1);
  gas.heavy_fraction = heavy_fraction;
  return gas;
}

/// Blocks: the tiles of the first plane, then those of the next, and so on. out: [plane][tile][profile] of
/// the whole slab. Four blocks a multiprocessor are as fast as it gets on an H200; five take a half more.
template <class Real>
__global__ void __launch_bounds__(profile_columns, 4)
    profile_tiles_kernel(const __grid_constant__ FlowView<Real> flow, const Layers layers,
                         const SlopePlanes planes, double* out) {
  __shared__ SharedRow row;
  __shared__ double sums[profile_count][profile_columns];
  const Slab<Real>& slab = flow.slab;
  const int nx = slab.layout.nx, ny = slab.layout.ny;
  const ProfileTiles tiles(slab.layout);
  const int block = planes.first * tiles.count() + static_cast<int>(blockIdx.x);
  const int tile = block % tiles.count(), k = block / tiles.count();
  const int first = tiles.first_column(tile), begin = tiles.first_row(tile);
  const int columns = min(profile_columns, nx - first), end = min(begin + profile_rows, ny);
  const int column = static_cast<int>(threadIdx.x);
  const bool is_inside = column < columns;
  const Vector<double> per_two = per_two_cells(flow.spacing);
  const auto numbers_at = [&](const Source& x, const Source& y, int plane) {
    SlopeNumbers numbers = planes.at(plane, static_cast<std::size_t>(y.index) * nx + x.index);
    if (x.flipped) numbers = numbers.flipped(0);
    return y.flipped ? numbers.flipped(1) : numbers;
  };
  const Source own_x{first + column, false};
  const int beside = column == 0 ? -1 : columns;
  const Source beside_x = ghost_source(first + beside, nx, slab.x);

  double mine[profile_count] = {};
  SlopeNumbers south{}, here{};
  if (is_inside) {
    south = numbers_at(own_x, row_source(begin - 1, slab), k);
    here = numbers_at(own_x, {begin, false}, k);
  }
  for (int y = begin; y < end; ++y) {
    const Source own_y{y, false};
    __syncthreads();  // the row before has been read
    if (is_inside) row.put(column, here);
    if (column < 2) row.put(beside, numbers_at(beside_x, own_y, k));
    __syncthreads();
    if (!is_inside) continue;
    const SlopeNumbers north = numbers_at(own_x, row_source(y + 1, slab), k),
                       below = numbers_at(own_x, own_y, k - 1), above = numbers_at(own_x, own_y, k + 1);
    const CellGas gas = gas_in(flow, k, static_cast<std::size_t>(y) * nx + own_x.index, here.of[3]);
    const CellOfColumn cell{gas, south, north, below, above, row, column, per_two, layers};
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
