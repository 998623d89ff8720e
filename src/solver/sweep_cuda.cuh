// The stage sweep on a GPU: a block marches a tile of x-y up z with three planes of cells in shared memory
// and the fourth in registers. A thread computes the upper face of its cell along each axis once; fluxes
// never leave the chip. Reads per cell and stage: u once plus the tile's margin (from L2), u_old once.
#pragma once

#include <cuda_runtime.h>

#include "core/cuda_check.hpp"
#include "solver/sweep.hpp"
#include "solver/sweep_cell.hpp"

namespace tayra {

template <class Real>
struct TileShape {
  static constexpr int width = 32;
  static constexpr int height = 8;
  static constexpr int threads = width * height;
  static constexpr int margin = 2;
  // Enough registers for no spill in the schemes that are used most (seen in the compiler's report).
  static constexpr int blocks_per_multiprocessor = sizeof(Real) == 4 ? 3 : 2;
  static constexpr int ring_cells = 2 * margin * (width + height);
  static_assert(ring_cells <= threads, "every thread fetches at most one cell of the margin");
};

/// Cells of the planes k - 1, k and k + 1, of which k has its margin, and the fluxes that neighbouring
/// threads share.
template <class Real, class Kept>
struct TileMemory {
  using Shape = TileShape<Real>;
  static constexpr int planes = 3;
  using Plane = Real[Kept::words][Shape::height + 2 * Shape::margin][Shape::width + 2 * Shape::margin];
  Plane cells[planes];
  Real x_flux[field_variables][Shape::height][Shape::width + 1];
  Real y_flux[field_variables][Shape::height + 1][Shape::width];
};

template <class Real, class Kept>
using CellPlane = typename TileMemory<Real, Kept>::Plane;

/// A cell that a thread fetches plane by plane: where it lies in the tile and in memory.
struct FetchedCell {
  int tile_x, tile_y;
  std::size_t offset;  // within one variable of a plane
  bool flip_x, flip_y;
};

template <class Real>
__device__ FetchedCell fetched_cell(const Slab<Real>& slab, int x0, int y0, int tile_x, int tile_y) {
  const int nx = slab.layout.nx, ny = slab.layout.ny;
  // Cells more than two beyond the box belong to no stencil; any valid address will do.
  const Source x = ghost_source(min(x0 + tile_x, nx + 1), nx, slab.x);
  const Source y = ghost_source(min(y0 + tile_y, ny + 1), ny, slab.y);
  return {tile_x, tile_y, static_cast<std::size_t>(y.index) * nx + x.index, x.flipped, y.flipped};
}

template <class Real>
__device__ FetchedCell ring_cell(const Slab<Real>& slab, int x0, int y0, int thread) {
  using Shape = TileShape<Real>;
  constexpr int rows = 2 * Shape::margin * Shape::width;
  int along, across;
  if (thread < rows) {
    along = thread % Shape::width;
    across = thread / Shape::width;
    return fetched_cell(
        slab, x0, y0, along,
        across < Shape::margin ? across - Shape::margin : Shape::height + across - Shape::margin);
  }
  along = (thread - rows) % Shape::height;
  across = (thread - rows) / Shape::height;
  return fetched_cell(slab, x0, y0,
                      across < Shape::margin ? across - Shape::margin : Shape::width + across - Shape::margin,
                      along);
}

template <class Real>
__device__ __forceinline__ State<Real> fetch(const Slab<Real>& slab, const Real* __restrict__ u, int k,
                                             const FetchedCell& cell) {
  const Source plane = plane_source(k, slab);
  const std::size_t word = slab.layout.variable_stride();
  const Real* from = u + slab.layout.plane_start(plane.index) + cell.offset;
  State<Real> state{from[0], {{from[word], from[2 * word], from[3 * word]}}, from[4 * word]};
  if (cell.flip_x) state.momentum[0] = -state.momentum[0];
  if (cell.flip_y) state.momentum[1] = -state.momentum[1];
  if (plane.flipped) state.momentum[2] = -state.momentum[2];
  return state;
}

template <class Kept, class Real>
__device__ __forceinline__ void put(CellPlane<Real, Kept>& plane, const Cell<Real>& cell, int x, int y) {
  Kept::store(cell, [&](int number, Real word) { plane[number][y + 2][x + 2] = word; });
}

template <class Kept, class Real>
__device__ __forceinline__ Cell<Real> take(const CellPlane<Real, Kept>& plane, int x, int y,
                                           Real background_pressure) {
  return Kept::template load<Real>([&](int number) { return plane[number][y + 2][x + 2]; },
                                   background_pressure);
}

/// The stencil of the upper face of the cell at (x, y) of the tile.
template <int axis, class Kept, class Real>
__device__ __forceinline__ Stencil<Real> tile_stencil(const CellPlane<Real, Kept>& plane, int x, int y,
                                                      Real background) {
  constexpr int dx = axis == 0, dy = axis == 1;
  return {take<Kept, Real>(plane, x - dx, y - dy, background), take<Kept, Real>(plane, x, y, background),
          take<Kept, Real>(plane, x + dx, y + dy, background),
          take<Kept, Real>(plane, x + 2 * dx, y + 2 * dy, background)};
}

template <class Real, int rows, int columns>
__device__ __forceinline__ void put_flux(Real (&to)[field_variables][rows][columns], const State<Real>& flux,
                                         int x, int y) {
  to[0][y][x] = flux.density;
  for (int i = 0; i < 3; ++i) to[1 + i][y][x] = flux.momentum[i];
  to[4][y][x] = flux.energy;
}

template <class Real, int rows, int columns>
__device__ __forceinline__ State<Real> take_flux(const Real (&from)[field_variables][rows][columns], int x,
                                                 int y) {
  return {from[0][y][x], {{from[1][y][x], from[2][y][x], from[3][y][x]}}, from[4][y][x]};
}

/// The order of positive doubles is that of their bits.
__device__ inline void raise(double* most, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(most),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

struct Findings {
  double signal_rate = 0;
  long long bad_cell = no_cell;
  unsigned limited_faces = 0;
};

/// Merges what the threads of a warp found into the clock.
__device__ inline void report(Clock* clock, Findings found) {
  for (int lane = 16; lane > 0; lane /= 2) {
    found.signal_rate = fmax(found.signal_rate, __shfl_down_sync(~0u, found.signal_rate, lane));
    found.bad_cell = min(found.bad_cell, __shfl_down_sync(~0u, found.bad_cell, lane));
    found.limited_faces += __shfl_down_sync(~0u, found.limited_faces, lane);
  }
  if (threadIdx.x % 32 != 0) return;
  if (found.signal_rate > 0) raise(&clock->signal_rate, found.signal_rate);
  if (found.bad_cell != no_cell) atomicMin(reinterpret_cast<long long*>(&clock->bad_cell), found.bad_cell);
  if (found.limited_faces > 0)
    atomicAdd(&clock->limited_faces, static_cast<unsigned long long>(found.limited_faces));
}

/// The planes of a block: its share of the low range, or else of the high one.
__device__ inline PlaneRange planes_of_block(const Planes& planes, int depth, int block) {
  const int low_blocks = (planes.low.count() + depth - 1) / depth;
  const PlaneRange range = block < low_blocks ? planes.low : planes.high;
  const int begin = range.begin + (block < low_blocks ? block : block - low_blocks) * depth;
  return {begin, min(begin + depth, range.end)};
}

/// keep u_old + (1 - keep) (u + dt L(u)), written to its place.
template <class Real>
__device__ __forceinline__ State<Real> combine_stage(const Sweep<Real>& sweep, State<Real> next,
                                                     std::size_t at) {
  const std::size_t word = sweep.slab.layout.variable_stride();
  if (sweep.stage.keep != 0) {
    const Real* old = sweep.u_old + at;
    const State<Real> before{old[0], {{old[word], old[2 * word], old[3 * word]}}, old[4 * word]};
    next = staged<Real>(sweep.stage, before, next);
  }
  Real* to = sweep.next + at;
  to[0] = next.density;
  for (int i = 0; i < 3; ++i) to[(1 + i) * word] = next.momentum[i];
  to[4 * word] = next.energy;
  return next;
}

/// What a march does about the positivity limiter. Watching costs the check alone and stops at the first
/// plane with a suspect face; acting keeps the limiter's code, and the registers that it wants, out of the
/// march that meets none.
enum class Limiting { none, watch, act };

template <class Scheme, Limiting limiting, int axis, class Real>
__device__ __forceinline__ FaceFlux<Real> march_flux(const Stencil<Real>& stencil, const Gas<Real>& gas) {
  if constexpr (limiting == Limiting::act)
    return face_flux<Scheme, Positivity::on, axis>(stencil, gas);
  else
    return unlimited_flux < Scheme, limiting == Limiting::none ? Positivity::off : Positivity::on,
           axis > (stencil, gas);
}

/// Sweeps the planes from the lowest up; returns the first that is left for a march that acts.
template <class Scheme, Limiting limiting, class Real>
__device__ __forceinline__ int march(const Sweep<Real>& sweep, const PlaneRange planes, Findings& found) {
  using Shape = TileShape<Real>;
  using Kept = KeptCell<Scheme, limiting == Limiting::none ? Positivity::off : Positivity::on>;
  using Memory = TileMemory<Real, Kept>;
  extern __shared__ __align__(16) unsigned char shared_memory[];
  Memory& tile = *reinterpret_cast<Memory*>(shared_memory);

  const Slab<Real>& slab = sweep.slab;
  const Gas<Real>& gas = sweep.flow.gas;
  const Real dt = static_cast<Real>(sweep.clock->dt);
  const int x0 = blockIdx.x * Shape::width, y0 = blockIdx.y * Shape::height;
  const int tx = threadIdx.x % Shape::width, ty = threadIdx.x / Shape::width;
  const FetchedCell own = fetched_cell(slab, x0, y0, tx, ty);
  const bool has_ring_cell = threadIdx.x < Shape::ring_cells;
  const FetchedCell ring = ring_cell(slab, x0, y0, has_ring_cell ? threadIdx.x : 0);
  const bool inside = x0 + tx < slab.layout.nx && y0 + ty < slab.layout.ny;

  const auto background = [&](int k) { return slab.background[k].pressure; };
  const auto own_cell = [&](int k) { return make_cell(fetch(slab, sweep.u, k, own), background(k), gas); };

  // A thread's own cells of the planes below and above are read by itself alone: no barrier guards them.
  const auto plane = [&](int k) -> CellPlane<Real, Kept>& {
    return tile.cells[(k + Memory::planes) % Memory::planes];
  };
  const auto column = [&](int k) { return take<Kept, Real>(plane(k), tx, ty, background(k)); };
  for (int k = planes.begin - 1; k <= planes.begin + 1; ++k) put<Kept, Real>(plane(k), own_cell(k), tx, ty);
  FaceFlux<Real> below =
      march_flux<Scheme, limiting, 2>(Stencil<Real>{own_cell(planes.begin - 2), column(planes.begin - 1),
                                                    column(planes.begin), column(planes.begin + 1)},
                                      gas);
  State<Real> coming = fetch(slab, sweep.u, planes.begin + 2, own);

  for (int k = planes.begin; k < planes.end; ++k) {
    if (has_ring_cell)
      put<Kept, Real>(plane(k), make_cell(fetch(slab, sweep.u, k, ring), background(k), gas), ring.tile_x,
                      ring.tile_y);
    const Cell<Real> far_above = make_cell(coming, background(k + 2), gas);
    if (k + 1 < planes.end) coming = fetch(slab, sweep.u, k + 3, own);
    const Cell<Real> here = column(k);
    const FaceFlux<Real> up =
        march_flux<Scheme, limiting, 2>(Stencil<Real>{column(k - 1), here, column(k + 1), far_above}, gas);
    put<Kept, Real>(plane(k + 2), far_above, tx, ty);
    const State<Real> column_part = changed_by_column<Real>(
        here.state, below.flux, up.flux, slab.background[k].density, sweep.flow, dt, slab.inverse_spacing[2]);
    bool suspect = below.suspect || up.suspect;
    below = up;
    __syncthreads();

    const auto x_face = [&](int x, int y) {
      return march_flux<Scheme, limiting, 0>(tile_stencil<0, Kept, Real>(plane(k), x, y, background(k)), gas);
    };
    const auto y_face = [&](int x, int y) {
      return march_flux<Scheme, limiting, 1>(tile_stencil<1, Kept, Real>(plane(k), x, y, background(k)), gas);
    };
    const FaceFlux<Real> east = x_face(tx, ty);
    put_flux(tile.x_flux, east.flux, tx + 1, ty);
    const FaceFlux<Real> north = y_face(tx, ty);
    put_flux(tile.y_flux, north.flux, tx, ty + 1);
    suspect = suspect || east.suspect || north.suspect;
    // The tile's first faces are nobody's upper ones: one warp takes the row of them, another the column.
    if (ty == 0) {
      const FaceFlux<Real> first = y_face(tx, -1);
      put_flux(tile.y_flux, first.flux, tx, 0);
      suspect = suspect || first.suspect;
    } else if (ty == 1 && tx < Shape::height) {
      const FaceFlux<Real> first = x_face(-1, tx);
      put_flux(tile.x_flux, first.flux, 0, tx);
      suspect = suspect || first.suspect;
    }
    if constexpr (limiting == Limiting::watch) {
      if (__syncthreads_or(suspect)) return k;
    } else {
      __syncthreads();
    }

    if (inside) {
      const State<Real> changed =
          changed_by_row<Real>(column_part, take_flux(tile.x_flux, tx, ty), east.flux,
                               take_flux(tile.y_flux, tx, ty), north.flux, dt, slab.inverse_spacing);
      const std::size_t at = slab.layout.plane_start(k) + own.offset;
      const State<Real> next = combine_stage(sweep, changed, at);
      if constexpr (limiting == Limiting::act)
        found.limited_faces += east.suspect + north.suspect + up.suspect;
      if (sweep.stage.last) {
        const Cell<Real> cell = make_cell(next, background(k), gas);
        if (next.density > 0 && cell.pressure + cell.background_pressure > 0)
          found.signal_rate =
              fmax(found.signal_rate, static_cast<double>(signal_rate(cell, slab.inverse_spacing)));
        else
          found.bad_cell =
              min(found.bad_cell,
                  (static_cast<long long>(slab.first_plane + k) * slab.layout.ny + y0 + ty) * slab.layout.nx +
                      x0 + tx);
      }
    }
  }
  return planes.end;
}

template <class Scheme, class Real>
__device__ __noinline__ Findings march_limiting(Sweep<Real> sweep, PlaneRange planes) {
  Findings found;
  march<Scheme, Limiting::act>(sweep, planes, found);
  return found;
}

template <class Scheme, Positivity positivity, class Real>
__global__ void __launch_bounds__(TileShape<Real>::threads, TileShape<Real>::blocks_per_multiprocessor)
    sweep_kernel(const __grid_constant__ Sweep<Real> sweep, int depth) {
  if (sweep.clock->dt == 0) return;
  const PlaneRange planes = planes_of_block(sweep.planes, depth, blockIdx.z);
  Findings found;
  constexpr Limiting limiting = positivity == Positivity::on ? Limiting::watch : Limiting::none;
  const int left = march<Scheme, limiting>(sweep, planes, found);
  if constexpr (positivity == Positivity::on) {
    if (left < planes.end) {
      const Findings rest = march_limiting<Scheme>(sweep, {left, planes.end});
      found = {fmax(found.signal_rate, rest.signal_rate), min(found.bad_cell, rest.bad_cell),
               rest.limited_faces};
    }
  }
  report(sweep.clock, found);
}

/// Long marches read the fewest planes twice; short ones keep every multiprocessor busy on small grids.
inline int march_depth(const Planes& planes, int tiles, int multiprocessors) {
  const int most = max(planes.low.count(), planes.high.count());
  const int wanted_blocks = 8 * multiprocessors;
  const int chunks = max(1, wanted_blocks / max(1, tiles));
  return min(most, max(8, (most + chunks - 1) / chunks));
}

template <class Scheme, Positivity positivity, class Real>
void launch_sweep(const Sweep<Real>& sweep, int multiprocessors, cudaStream_t stream) {
  using Shape = TileShape<Real>;
  constexpr auto kernel = sweep_kernel<Scheme, positivity, Real>;
  constexpr int memory = sizeof(TileMemory<Real, KeptCell<Scheme, positivity>>);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
  check_cuda(allowed, "asking for shared memory");
  const Layout& layout = sweep.slab.layout;
  dim3 grid((layout.nx + Shape::width - 1) / Shape::width, (layout.ny + Shape::height - 1) / Shape::height);
  const int depth = march_depth(sweep.planes, grid.x * grid.y, multiprocessors);
  grid.z = (sweep.planes.low.count() + depth - 1) / depth + (sweep.planes.high.count() + depth - 1) / depth;
  kernel<<<grid, Shape::threads, memory, stream>>>(sweep, depth);
  check_cuda(cudaGetLastError(), "starting a sweep");
}

}  // namespace tayra
