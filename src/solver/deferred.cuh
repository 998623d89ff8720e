// Cells of the GPU's sweep beside a face that wants the positivity limiter: a z-stream defers them,
// unwritten, and does them one by one when it is through (docs/decisions/0012).
#pragma once

#include <cuda_runtime.h>

#include "solver/next_cell.cuh"
#include "solver/sweep_tile.cuh"
#include "solver/z_stream_plan.cuh"
#include "solver/z_stream_supply.cuh"

namespace tayra {

/// Which of a thread's faces want the limiter.
template <class Shape>
class FlaggedFaces {
  static constexpr int rows = Shape::rows;

 public:
  /// The upper face of a row's cell.
  template <int axis>
  __device__ __forceinline__ void add(int row, bool is_flagged) {
    bits_ |= unsigned{is_flagged} << (axis * rows + row);
  }
  /// One of the tile's first.
  __device__ __forceinline__ void add_first(bool is_flagged) { bits_ |= unsigned{is_flagged} << first; }
  /// The z face below a row's cell of the z-stream's first plane.
  __device__ __forceinline__ void add_below(int row, bool is_flagged) {
    bits_ |= unsigned{is_flagged} << (below + row);
  }
  __device__ __forceinline__ bool any() const { return bits_ != 0; }

  /// Marks the cells beside them in plane k.
  __device__ __forceinline__ void mark(FlagMarks<Shape>& marks, int k, unsigned parity,
                                       int rows_inside) const {
    if (!any()) return;
    const ThreadInTile<Shape> thread;
    unsigned(&cells)[Shape::height] = marks.cells[parity];
    unsigned counted = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const bool south = r > 0 && has<1>(r - 1), east = has<0>(r);
      const bool own = has<2>(r) || has<1>(r) || east || south || (bits_ >> (below + r) & 1) != 0;
      if (own) atomicOr(&cells[thread.y + r], 1u << thread.x);
      if (east) atomicOr(&cells[thread.y + r], 2u << thread.x);  // beyond the last column it is another's
      if (r < rows_inside) counted += has<2>(r) + has<1>(r) + east;
    }
    if (has<1>(rows - 1) && thread.y + rows < Shape::height)
      atomicOr(&cells[thread.y + rows], 1u << thread.x);
    if (bits_ >> first & 1) {
      if (thread.warp() % 2 == 1)  // the one of a pair that takes the row (ZStream::place_in_pair)
        atomicOr(&cells[0], 1u << thread.x);
      else
        atomicOr(&cells[thread.x % Shape::height], 1u);
    }
    atomicMax(&marks.plane[parity], k);
    atomicMin(&marks.first_plane, k);
    if (counted > 0) atomicAdd(&marks.limited_faces, counted);
  }
  /// Turns to the plane above.
  __device__ __forceinline__ void step_up() { bits_ = (bits_ >> 2 * rows & ((1u << rows) - 1)) << below; }

 private:
  static constexpr int first = 3 * rows, below = first + 1;
  template <int axis>
  __device__ __forceinline__ bool has(int row) const {
    return (bits_ >> (axis * rows + row) & 1) != 0;
  }
  unsigned bits_ = 0;
};

/// Defers what is marked of a warp's rows; returns a bit for each row of the thread's.
template <class Shape, class Real>
__device__ __forceinline__ unsigned defer(FlagMarks<Shape>& marks, const ThreadInTile<Shape>& thread,
                                          const Sweep<Real>& sweep, int tile_row, int k, unsigned parity) {
  unsigned* cells = &marks.cells[parity][thread.y];
  unsigned mine = 0;
#pragma unroll
  for (int r = 0; r < Shape::rows; ++r) mine |= (cells[r] >> thread.x & 1) << r;
  __syncwarp();
  cold_call<Shape>([cells, &sweep, thread, tile_row, k] {
    const int y = tile_row * Shape::height + thread.y + thread.lane();
    if (thread.lane() < Shape::rows && cells[thread.lane()] != 0) {
      const int beyond = static_cast<int>(blockIdx.x + 1) * Shape::width - sweep.slab.layout.nx;
      const unsigned in_box = beyond > 0 ? ~0u >> beyond : ~0u;
      if (y < sweep.slab.layout.ny)
        sweep.deferred_bits[place_of_bits(sweep.slab.layout, blockIdx.x, y, k)] =
            cells[thread.lane()] & in_box;
      cells[thread.lane()] = 0;
    }
  });
  return mine;
}

/// A cell by itself, with all its faces: in every bit what a z-stream makes of it, or would.
template <class Scheme, bool carries, class Real>
class LoneCell {
 public:
  __device__ __forceinline__ LoneCell(const Sweep<Real>& sweep, int x, int y, int k)
      : sweep_(sweep), slab_(sweep.slab), x_(x), y_(y), k_(k), offset_(y * sweep.slab.layout.nx + x) {}

  /// What the fluxes along an axis make of it: their difference; along z, the state after the column.
  __device__ __forceinline__ State<Real> part(int axis, const StepLength<Real>& length) const {
    if (axis == 0) return difference<0>();
    if (axis == 1) return difference<1>();
    const Fluxes fluxes = limited_fluxes<2>();
    if constexpr (carries)
      leave_mass(2, fluxes, sweep_.begins_with(k_) ? sweep_.mass.below(k_) + offset_ : nullptr);
    const State<Real> now = state_at(slab_.layout, sweep_.u, k_, offset_);
    return after_column<Real>(now,
                              column_difference<Scheme, Real>(now.density, background().density, fluxes.below,
                                                              fluxes.above, sweep_.flow.gravity),
                              length);
  }

  /// Writes it to its place, of all three parts.
  __device__ __forceinline__ void update(const State<Real> (&parts)[3], const StepLength<Real>& length,
                                         Real& signal_rate_so_far) const {
    State<Real> next = after_rows<Real>(parts[2], parts[0], parts[1], length, slab_.spacing.y_over_x);
    if (sweep_.stage.keep != 0)
      next = staged<Real>(sweep_.stage, state_at(slab_.layout, sweep_.u_old, k_, offset_), next);
    const unsigned cells_of_plane = slab_.layout.variable_stride();
    store_state(next, sweep_.next + slab_.layout.plane_start(k_) + offset_, cells_of_plane);
    const NextCell<Real> cell(sweep_, k_, offset_, cells_of_plane);
    cell.copy_edge(next);
    if (sweep_.stage.last) cell.inspect(next, background().pressure, signal_rate_so_far);
  }

 private:
  struct Fluxes {
    State<Real> below, above;
  };
  struct CellSource {
    int plane, offset, flips;
  };
  __device__ __forceinline__ const PlaneBackground<Real>& background() const { return slab_.background[k_]; }
  /// Where the neighbour lies so many cells on.
  template <int axis>
  __device__ __forceinline__ CellSource neighbour(int on) const {
    const Layout& layout = slab_.layout;
    const Source from_x = ghost_source(x_ + (axis == 0 ? on : 0), layout.nx, slab_.x);
    const Source from_y = row_source(y_ + (axis == 1 ? on : 0), slab_);
    const Source from_z = plane_source(k_ + (axis == 2 ? on : 0), slab_);
    return {from_z.index, from_y.index * layout.nx + from_x.index,
            from_x.flipped + 2 * from_y.flipped + 4 * from_z.flipped};
  }
  template <Positivity positivity>
  __device__ __forceinline__ Cell<Real> kept(const State<Real>& state, Real background_pressure) const {
    return KeptCell<Scheme, positivity>::as_kept(make_cell(state, background_pressure, sweep_.flow.gas),
                                                 sweep_.flow.gas);
  }
  /// Of the outer cells the scheme's flux alone has need.
  template <int axis>
  __device__ __forceinline__ Fluxes limited_fluxes() const {
    using enum Positivity;
    // All are on their way before the first is waited for.
    State<Real> states[5];
    Real pressures[5];
    int flips[5];
#pragma unroll
    for (int n = 0; n < 5; ++n) {
      const CellSource from = neighbour<axis>(n - 2);
      states[n] = state_at(slab_.layout, sweep_.u, from.plane, from.offset);
      pressures[n] = slab_.background[k_ + (axis == 2 ? n - 2 : 0)].pressure;
      flips[n] = from.flips;
    }
#pragma unroll
    for (int n = 0; n < 5; ++n) flip(states[n], flips[n]);
    const Cell<Real> before = kept<on>(states[1], pressures[1]), here = kept<on>(states[2], pressures[2]),
                     after = kept<on>(states[3], pressures[3]);
    const Stencil<Real> lower{kept<off>(states[0], pressures[0]), before, here, after};
    const Stencil<Real> upper{before, here, after, kept<off>(states[4], pressures[4])};
    return {face_flux<Scheme, on, axis>(lower, sweep_.flow.gas).flux,
            face_flux<Scheme, on, axis>(upper, sweep_.flow.gas).flux};
  }
  template <int axis>
  __device__ __forceinline__ State<Real> difference() const {
    const Fluxes fluxes = limited_fluxes<axis>();
    if constexpr (carries) {
      const bool is_first = (axis == 0 ? x_ : y_) == 0;
      leave_mass(axis, fluxes, is_first ? sweep_.mass.first(axis, k_) + (axis == 0 ? y_ : x_) : nullptr);
    }
    return fluxes.below - fluxes.above;
  }
  /// Through its upper face, and through the lower one where that has a place of its own.
  __device__ __forceinline__ void leave_mass(int axis, const Fluxes& fluxes, Real* of_lower) const {
    sweep_.mass.upper(axis, k_)[offset_] = fluxes.above.density;
    if (of_lower != nullptr) *of_lower = fluxes.below.density;
  }

  const Sweep<Real>& sweep_;
  const Slab<Real>& slab_;
  const int x_, y_, k_, offset_;
};

/// The work that a z-stream leaves: cells of some of its planes, by their numbers there, and a few of these
/// cells' parts. Lies where the tile was.
template <class Shape, class Real>
struct WorkSetAside {
  static constexpr int planes = 32, at_once = Shape::threads;
  int count;
  int cells[planes * Shape::height * Shape::width];
  State<Real> parts[3][at_once];
};

/// Does what a z-stream up these planes has deferred, as its block; returns the thread's fastest signal. A
/// thread has one axis of a cell to do: there are more threads than cells, mostly.
template <class Scheme, class Shape, class Real>
__device__ __noinline__ Real do_deferred(const Sweep<Real>& sweep, ZStreamPlace place,
                                         unsigned char* shared) {
  using Work = WorkSetAside<Shape, Real>;
  Work& work = *reinterpret_cast<Work*>(shared);
  const Layout& layout = sweep.slab.layout;
  const StepLength<Real> length = step_length<Scheme, Real>(sweep.clock->dt, sweep.slab.spacing);
  const int first_row = place.tile_row * Shape::height;
  Real signal_rate = 0;
  for (int first = place.planes.begin; first < place.planes.end; first += Work::planes) {
    __syncthreads();
    if (threadIdx.x == 0) work.count = 0;
    __syncthreads();
    for (int row = threadIdx.x; row < Work::planes * Shape::height; row += Shape::threads) {
      const int k = first + row / Shape::height, y = first_row + row % Shape::height;
      if (k >= place.planes.end || y >= layout.ny) continue;
      unsigned& bits = sweep.deferred_bits[place_of_bits(layout, blockIdx.x, y, k)];
      unsigned left = bits;
      if (left == 0) continue;
      bits = 0;
      for (int at = atomicAdd(&work.count, __popc(left)); left != 0; left &= left - 1)
        work.cells[at++] = row * Shape::width + __ffs(static_cast<int>(left)) - 1;
    }
    __syncthreads();
    const auto cell = [&](int number) {
      const int row = work.cells[number] / Shape::width;
      return LoneCell<Scheme, Shape::carries, Real>(
          sweep, static_cast<int>(blockIdx.x) * Shape::width + work.cells[number] % Shape::width,
          first_row + row % Shape::height, first + row / Shape::height);
    };
    for (int done = 0; done < work.count; done += Work::at_once) {
      const int count = min(work.count - done, Work::at_once);
      const int whole_warps = (count + warp_threads - 1) / warp_threads * warp_threads;
      for (int i = threadIdx.x; i < 3 * whole_warps; i += Shape::threads)
        if (const int axis = i / whole_warps, number = i % whole_warps; number < count)
          work.parts[axis][number] = cell(done + number).part(axis, length);
      __syncthreads();
      if (const int number = threadIdx.x; number < count)
        cell(done + number)
            .update({work.parts[0][number], work.parts[1][number], work.parts[2][number]}, length,
                    signal_rate);
      __syncthreads();
    }
  }
  return signal_rate;
}

}  // namespace tayra
