// The stage sweep on a GPU: a block marches a tile of x-y up z with three planes of cells in shared memory
// and the fourth in registers. A thread owns a few rows of its column of the tile and computes the upper
// faces of its cells along each axis once; fluxes never leave the chip. Reads per cell and stage: u once plus
// the tile's margin (from L2), u_old once; with the write 10 words in the first stage, which needs no u_old,
// and 15 in the others. On an H100, 256^3 in double with the limiter on, steps moved them at 62 % (upwind3)
// and 48 % (roe3) of the copy bandwidth (docs/performance.md).
#pragma once

#include <cuda_runtime.h>

#include <set>

#include "core/cuda_barrier.cuh"
#include "core/cuda_check.hpp"
#include "core/cuda_copy.cuh"
#include "core/cuda_launch.cuh"
#include "core/cuda_signal.cuh"
#include "solver/sweep.hpp"
#include "solver/sweep_cell.hpp"

namespace tayra {

/// weno3 in double wants more registers than two blocks leave it.
template <class Scheme, class Real>
inline constexpr int blocks_at_once = 2;
template <>
inline constexpr int blocks_at_once<Weno3, double> = 1;

template <class Scheme, class Real>
struct TileShape {
  // Two rows a thread share loads and addresses; in double the registers are wanted for a second block.
  static constexpr bool narrow = sizeof(Real) == 4;
  static constexpr int rows = narrow ? 2 : 1;  // of one thread
  static constexpr int width = 32;
  static constexpr int height = narrow ? 16 : 8;
  static constexpr int threads = width * height / rows;
  static constexpr int margin = 2;
  static constexpr int blocks_per_multiprocessor = blocks_at_once<Scheme, Real>;
  static constexpr int ring_cells = 2 * margin * (width + height);
  static_assert(ring_cells <= threads, "every thread fetches at most one cell of the margin");
  static_assert(height <= 32, "one warp computes the first faces along x");
  // A block's share of a multiprocessor's shared memory.
  static constexpr std::size_t memory = 228 * 1024 / blocks_per_multiprocessor - 1024;
};

/// Cells of the planes k - 1, k and k + 1, of which k has its margin, and what neighbouring threads share or
/// wait for. A cell's words lie a tile apart; its place is that of its first word.
template <class Scheme, class Real, class Kept>
struct TileMemory {
  using Shape = TileShape<Scheme, Real>;
  static constexpr int planes = 3;
  static constexpr int pitch = Shape::width + 2 * Shape::margin;
  static constexpr int word = (Shape::height + 2 * Shape::margin) * pitch;
  static constexpr int plane = Kept::words * word;
  static constexpr int tile_cells = Shape::height * Shape::width;

  Real cells[planes * plane];
  Real first_x_flux[field_variables][Shape::height];
  Real y_flux[field_variables][Shape::height / Shape::rows + 1][Shape::width];

  /// States on their way from memory. In registers they would crowd the faces out, or come too late.
  Real margin[field_variables][Shape::ring_cells];
  static constexpr std::size_t without_old =
      sizeof(Real) * (planes * plane + field_variables * (Shape::height + tile_cells / Shape::rows +
                                                          Shape::width + Shape::ring_cells));
  static constexpr bool has_old = without_old + sizeof(Real) * field_variables * tile_cells <= Shape::memory;
  Real old[field_variables][has_old ? tile_cells : 1];

  SplitBarrier margin_put;

  static constexpr __device__ int place(int x, int y) {
    return (y + Shape::margin) * pitch + x + Shape::margin;
  }
  __device__ __forceinline__ void put(int place, const Cell<Real>& cell) {
    Kept::store(cell, [&](int number, Real value) { cells[place + number * word] = value; });
  }
  __device__ __forceinline__ Cell<Real> take(int place, Real background_pressure,
                                             const Gas<Real>& gas) const {
    return Kept::template load<Real>([&](int number) { return cells[place + number * word]; },
                                     background_pressure, gas);
  }
};

/// A cell that a thread fetches plane by plane: where it lies in the tile and in memory.
struct FetchedCell {
  int place;        // in the tile's plane
  unsigned offset;  // within one variable of a plane
  int flips;        // bit by axis: the momentum that changes sign
};

template <class Memory, class Real>
__device__ FetchedCell fetched_cell(const Slab<Real>& slab, int x, int y) {
  using Shape = typename Memory::Shape;
  const int nx = slab.layout.nx, ny = slab.layout.ny;
  // Cells more than two beyond the box belong to no stencil; any valid address will do.
  const Source from_x =
      ghost_source(min(static_cast<int>(blockIdx.x) * Shape::width + x, nx + 1), nx, slab.x);
  const Source from_y =
      ghost_source(min(static_cast<int>(blockIdx.y) * Shape::height + y, ny + 1), ny, slab.y);
  return {Memory::place(x, y), static_cast<unsigned>(from_y.index) * nx + from_x.index,
          from_x.flipped + 2 * from_y.flipped};
}

template <class Memory, class Real>
__device__ FetchedCell ring_cell(const Slab<Real>& slab, int number) {
  using Shape = typename Memory::Shape;
  constexpr int in_rows = 2 * Shape::margin * Shape::width;
  const bool in_row = number < in_rows;
  const int length = in_row ? Shape::width : Shape::height;
  const int along = (in_row ? number : number - in_rows) % length;
  const int line = (in_row ? number : number - in_rows) / length;
  const int across = line < Shape::margin ? line - Shape::margin
                                          : (in_row ? Shape::height : Shape::width) + line - Shape::margin;
  return fetched_cell<Memory>(slab, in_row ? along : across, in_row ? across : along);
}

/// Distances between a cell's variables in 32 bits: one instruction an address.
template <class Real>
__device__ __forceinline__ State<Real> load_state(const Real* from, unsigned word) {
  return {from[0], {{from[word], from[2 * word], from[3 * word]}}, from[4 * word]};
}

template <class Real>
__device__ __forceinline__ void store_state(const State<Real>& state, Real* to, unsigned word) {
  to[0] = state.density;
  for (unsigned i = 0; i < 3; ++i) to[(1 + i) * word] = state.momentum[i];
  to[4 * word] = state.energy;
}

template <class Real>
__device__ __forceinline__ void flip(State<Real>& state, int flips) {
  if (flips == 0) return;
  if (flips & 1) state.momentum[0] = -state.momentum[0];
  if (flips & 2) state.momentum[1] = -state.momentum[1];
  if (flips & 4) state.momentum[2] = -state.momentum[2];
}

/// A state in shared memory, its variables `stride` apart.
template <class Real>
__device__ __forceinline__ void copy_state_ahead(Real* to, int stride, const Real* from, unsigned word) {
  for (unsigned v = 0; v < field_variables; ++v) copy_ahead(to + v * stride, from + v * word);
}
template <class Real>
__device__ __forceinline__ void put_state(Real* to, int stride, const State<Real>& state) {
  to[0] = state.density;
  for (int i = 0; i < 3; ++i) to[(1 + i) * stride] = state.momentum[i];
  to[4 * stride] = state.energy;
}
template <class Real>
__device__ __forceinline__ State<Real> take_state(const Real* from, int stride) {
  return {from[0], {{from[stride], from[2 * stride], from[3 * stride]}}, from[4 * stride]};
}

template <class Real>
__device__ __forceinline__ State<Real> from_lane_before(const State<Real>& state) {
  const auto before = [](Real word) { return __shfl_up_sync(~0u, word, 1); };
  return {before(state.density),
          {{before(state.momentum[0]), before(state.momentum[1]), before(state.momentum[2])}},
          before(state.energy)};
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
  SlabReport& all = clock->found;
  if (found.signal_rate > 0) raise(&all.signal_rate, found.signal_rate);
  if (found.bad_cell != no_cell) atomicMin(reinterpret_cast<long long*>(&all.bad_cell), found.bad_cell);
  if (found.limited_faces > 0)
    atomicAdd(&all.limited_faces, static_cast<unsigned long long>(found.limited_faces));
}

/// The planes of a block: its share of the low range, or else of the high one.
__device__ inline PlaneRange planes_of_block(const Planes& planes, int depth, int block) {
  const int low_blocks = (planes.low.count() + depth - 1) / depth;
  const PlaneRange range = block < low_blocks ? planes.low : planes.high;
  const int begin = range.begin + (block < low_blocks ? block : block - low_blocks) * depth;
  return {begin, min(begin + depth, range.end)};
}

/// What a march does about the positivity limiter. Watching costs the check alone and stops at the first
/// plane with a suspect face; acting keeps the limiter's code, and the registers that it wants, out of the
/// march that meets none.
enum class Limiting { none, watch, act };

template <class Scheme, Limiting limiting, int axis, class Real>
__device__ __forceinline__ FaceFlux<Real> march_flux(const Stencil<Real>& stencil, const Gas<Real>& gas) {
  constexpr Positivity positivity = limiting == Limiting::none ? Positivity::off : Positivity::on;
  if constexpr (limiting == Limiting::act)
    return face_flux<Scheme, positivity, axis>(stencil, gas);
  else
    return unlimited_flux<Scheme, positivity, axis>(stencil, gas);
}

/// One block's march up its planes; a member per phase between two barriers.
template <class Scheme, Limiting limiting, class Real>
class March {
  using Shape = TileShape<Scheme, Real>;
  using Kept = KeptCell<Scheme, limiting == Limiting::none ? Positivity::off : Positivity::on>;
  using Memory = TileMemory<Scheme, Real, Kept>;
  static constexpr int rows = Shape::rows;
  static constexpr int pitch = Memory::pitch;
  static constexpr int y_stride = (Shape::height / rows + 1) * Shape::width;

 public:
  __device__ __forceinline__ March(const Sweep<Real>& sweep, const PlaneRange& planes, unsigned char* shared)
      : sweep_(sweep),
        slab_(sweep.slab),
        planes_(planes),
        tile_(*reinterpret_cast<Memory*>(shared)),
        length_(step_length<Scheme, Real>(sweep.clock->dt, sweep.slab.spacing)),
        word_(slab_.layout.nx * slab_.layout.ny),
        start_(slab_.layout.plane_start(planes.begin)),
        x_(threadIdx.x % Shape::width),
        y_(threadIdx.x / Shape::width * rows),
        below_place_(Memory::place(x_, y_)),
        place_(below_place_ + Memory::plane),
        above_place_(place_ + Memory::plane) {
#pragma unroll
    for (int r = 0; r < rows; ++r) own_[r] = fetched_cell<Memory>(slab_, x_, y_ + r);
    ring_ = ring_cell<Memory>(slab_, min(threadIdx.x, Shape::ring_cells - 1));
    const Layout& layout = slab_.layout;
    inside_ = blockIdx.x * Shape::width + x_ < layout.nx
                  ? layout.ny - static_cast<int>(blockIdx.y) * Shape::height - y_
                  : 0;
  }

  /// Sweeps the planes from the lowest up; returns the first that is left for a march that acts.
  __device__ __forceinline__ int run() {
    begin();
    for (int k = planes_.begin; k < planes_.end; ++k) {
      march_up(k);
      tile_.margin_put.wait(k - planes_.begin);
      cross();
      first_faces();
      request(k);
      if constexpr (limiting == Limiting::watch) {
        if (__syncthreads_or(suspect_)) {
          wait_for_copies();  // the march that acts starts its own to the same places
          end();
          return k;
        }
      } else {
        __syncthreads();
      }
      update(k);
      step_up(k);
    }
    end();
    return planes_.end;
  }

  __device__ __forceinline__ const Findings& found() const { return found_; }

 private:
  /// Through a face that belongs to the cell below it, row r of the thread's.
  template <int axis>
  __device__ __forceinline__ State<Real> flux_above(int r, const Stencil<Real>& stencil) {
    const FaceFlux<Real> face = march_flux<Scheme, limiting, axis>(stencil, sweep_.flow.gas);
    suspect_ |= face.suspect;
    if constexpr (limiting == Limiting::act) found_.limited_faces += face.suspect & (r < inside_);
    return face.flux;
  }
  /// Through a face that another block counts.
  template <int axis>
  __device__ __forceinline__ State<Real> first_flux(const Stencil<Real>& stencil) {
    const FaceFlux<Real> face = march_flux<Scheme, limiting, axis>(stencil, sweep_.flow.gas);
    suspect_ |= face.suspect;
    return face.flux;
  }
  __device__ __forceinline__ Real pressure(int k) const { return slab_.background[k].pressure; }
  __device__ __forceinline__ Cell<Real> take(int place, Real background_pressure) const {
    return tile_.take(place, background_pressure, sweep_.flow.gas);
  }
  __device__ __forceinline__ Cell<Real> take(int place) const { return take(place, pressure_); }
  __device__ __forceinline__ Cell<Real> kept_cell(const State<Real>& state, Real background_pressure) const {
    return Kept::as_kept(make_cell(state, background_pressure, sweep_.flow.gas), sweep_.flow.gas);
  }

  /// A plane's address, and the flips of its cells.
  struct PlaneAddress {
    const Real* start;
    int flips;
  };
  __device__ __forceinline__ PlaneAddress address_of(int k) const {
    const Source source = plane_source(k, slab_);
    return {sweep_.u + slab_.layout.plane_start(source.index), source.flipped ? 4 : 0};
  }
  __device__ __forceinline__ State<Real> fetch(const PlaneAddress& plane, const FetchedCell& cell) const {
    State<Real> state = load_state(plane.start + cell.offset, word_);
    flip(state, plane.flips | cell.flips);
    return state;
  }

  // A thread's own cells of the planes below and above are read by itself alone: no barrier guards them.
  __device__ __forceinline__ void begin() {
    const int first = planes_.begin;
    if (threadIdx.x == 0) tile_.margin_put.begin(Shape::threads);
    __syncthreads();
    copy_margin_ahead(start_);
    pressure_ = pressure(first);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const auto own_cell = [&](int k) { return kept_cell(fetch(address_of(k), own_[r]), pressure(k)); };
      const Cell<Real> below = own_cell(first - 1), here = own_cell(first), above = own_cell(first + 1);
      tile_.put(below_place_ + r * pitch, below);
      tile_.put(place_ + r * pitch, here);
      tile_.put(above_place_ + r * pitch, above);
      below_[r] = first_flux<2>({own_cell(first - 2), below, here, above});
      coming_[r] = fetch(address_of(first + 2), own_[r]);
    }
    wait_for_copies();
  }

  /// Another march may follow in the same memory. All threads are past the last wait for the margin.
  __device__ __forceinline__ void end() {
    if (threadIdx.x == 0) tile_.margin_put.end();
  }

  __device__ __forceinline__ void step_up(int k) {
    start_ += field_variables * static_cast<std::size_t>(word_);
    const int place = below_place_;
    below_place_ = place_;
    place_ = above_place_;
    above_place_ = place;
    pressure_ = pressure(k + 1);
  }

  /// The plane's margin, the z fluxes above it, and the cells two planes up.
  __device__ __forceinline__ void march_up(int k) {
    if (has_ring_cell()) {
      State<Real> state = take_state(&tile_.margin[0][threadIdx.x], Shape::ring_cells);
      flip(state, ring_.flips);
      tile_.put(place_ - Memory::place(x_, y_) + ring_.place, make_cell(state, pressure_, sweep_.flow.gas));
    }
    tile_.margin_put.arrive();
    if (k + 1 < planes_.end) copy_margin_ahead(start_ + field_variables * word_);
    copy_old_ahead();

    const Real density = slab_.background[k].density;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const Cell<Real> far_above = kept_cell(coming_[r], pressure(k + 2));
      const Cell<Real> here = take(place_ + r * pitch);
      const State<Real> up = flux_above<2>(r, {take(below_place_ + r * pitch, pressure(k - 1)), here,
                                               take(above_place_ + r * pitch, pressure(k + 1)), far_above});
      tile_.put(below_place_ + r * pitch, far_above);
      change_[r] =
          column_difference<Scheme, Real>(here.state.density, density, below_[r], up, sweep_.flow.gravity);
      if constexpr (Kept::has_state) change_[r] = after_column<Real>(here.state, change_[r], length_);
      here_[r] = here;
      below_[r] = up;
    }
  }

  /// The fluxes through the plane's x and y faces.
  __device__ __forceinline__ void cross() {
    Cell<Real> cells[rows + 3];
#pragma unroll
    for (int r = 0; r < rows + 3; ++r)
      cells[r] = r >= 1 && r <= rows ? here_[(r + rows - 1) % rows] : take(place_ + (r - 1) * pitch);
#pragma unroll
    for (int r = 0; r < rows; ++r)
      north_[r] = flux_above<1>(r, {cells[r], cells[r + 1], cells[r + 2], cells[r + 3]});
    put_state(&tile_.y_flux[0][y_ / rows + 1][x_], y_stride, north_[rows - 1]);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int place = place_ + r * pitch;
      east_[r] = flux_above<0>(r, {take(place - 1), cells[r + 1], take(place + 1), take(place + 2)});
    }
  }

  __device__ __forceinline__ bool has_ring_cell() const { return threadIdx.x < Shape::ring_cells; }
  __device__ __forceinline__ void copy_margin_ahead(std::size_t start) {
    if (has_ring_cell())
      copy_state_ahead(&tile_.margin[0][threadIdx.x], Shape::ring_cells, sweep_.u + start + ring_.offset,
                       word_);
  }

  /// Where the thread's row r lies among the tile's old states.
  __device__ __forceinline__ Real* old_place(int r) { return &tile_.old[0][(y_ + r) * Shape::width + x_]; }
  __device__ __forceinline__ void copy_old_ahead() {
    if constexpr (Memory::has_old) {
      if (sweep_.stage.keep == 0) return;
#pragma unroll
      for (int r = 0; r < rows; ++r)
        copy_state_ahead(old_place(r), Memory::tile_cells, sweep_.u_old + start_ + own_[r].offset, word_);
    }
  }
  __device__ __forceinline__ State<Real> old_state(int r) {
    if constexpr (Memory::has_old)
      return take_state(old_place(r), Memory::tile_cells);
    else
      return load_state(sweep_.u_old + start_ + own_[r].offset, word_);
  }

  /// The next plane of the column, and what is updated where the cells kept are not that: on their way while
  /// the block waits, when the faces' registers are free.
  __device__ __forceinline__ void request(int k) {
    const PlaneAddress coming = address_of(min(k + 3, planes_.end + 1));
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      coming_[r] = fetch(coming, own_[r]);
      if (!Kept::has_state) state_[r] = load_state(sweep_.u + start_ + own_[r].offset, word_);
    }
  }

  /// The tile's first faces are nobody's upper ones: one warp takes the row of them, another the column, both
  /// of those that have nothing of the margin to do.
  __device__ __forceinline__ void first_faces() {
    constexpr int warps = Shape::threads / Shape::width;
    const int warp = threadIdx.x / Shape::width, first = place_ - Memory::place(x_, y_);
    if (warp == warps - 1) {
      const int place = first + Memory::place(x_, 0);
      put_state(
          &tile_.y_flux[0][0][x_], y_stride,
          first_flux<1>({take(place - 2 * pitch), take(place - pitch), take(place), take(place + pitch)}));
    } else if (warp == warps - 2 && x_ < Shape::height) {
      const int place = first + Memory::place(0, x_);
      put_state(&tile_.first_x_flux[0][x_], Shape::height,
                first_flux<0>({take(place - 2), take(place - 1), take(place), take(place + 1)}));
    }
  }

  /// keep u_old + (1 - keep) (u + dt L(u)), written to its place.
  __device__ __forceinline__ void update(int k) {
    wait_for_copies();
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const State<Real> south =
          r == 0 ? take_state(&tile_.y_flux[0][y_ / rows][x_], y_stride) : north_[r > 0 ? r - 1 : 0];
      State<Real> west = from_lane_before(east_[r]);
      if (x_ == 0) west = take_state(&tile_.first_x_flux[0][y_ + r], Shape::height);
      if (r >= inside_) continue;
      const State<Real> column =
          Kept::has_state ? change_[r] : after_column<Real>(state_[r], change_[r], length_);
      State<Real> next =
          after_rows<Real>(column, west, east_[r], south, north_[r], length_, slab_.spacing.y_over_x);
      if (sweep_.stage.keep != 0) next = staged<Real>(sweep_.stage, old_state(r), next);
      store_state(next, sweep_.next + start_ + own_[r].offset, word_);
      copy_edge(next, k, own_[r].offset);
      if (sweep_.stage.last) inspect(next, k, r);
    }
  }

  /// The slab's edge goes to the neighbours' ghosts, too, where nobody else carries it there.
  __device__ __forceinline__ void copy_edge(const State<Real>& next, int k, unsigned offset) const {
    const int from_top = k - (slab_.layout.nz - ghost_planes);
    const std::size_t plane = field_variables * static_cast<std::size_t>(word_);
    if (sweep_.copies.lower != nullptr && k < ghost_planes)
      store_state(next, sweep_.copies.lower + k * plane + offset, word_);
    if (sweep_.copies.upper != nullptr && from_top >= 0)
      store_state(next, sweep_.copies.upper + from_top * plane + offset, word_);
  }

  __device__ __forceinline__ void inspect(const State<Real>& next, int k, int r) {
    const Cell<Real> cell = make_cell(next, pressure_, sweep_.flow.gas);
    if (next.density > 0 && cell.pressure + cell.background_pressure > 0)
      found_.signal_rate =
          fmax(found_.signal_rate, static_cast<double>(signal_rate(cell, slab_.spacing.inverse)));
    else
      found_.bad_cell =
          min(found_.bad_cell, (static_cast<long long>(slab_.first_plane) + k) * word_ + own_[r].offset);
  }

  const Sweep<Real>& sweep_;
  const Slab<Real>& slab_;
  const PlaneRange planes_;
  Memory& tile_;
  const StepLength<Real> length_;
  const unsigned word_;                    // cells of a plane
  std::size_t start_;                      // of plane k in memory
  const int x_, y_;                        // of the thread's first cell, in the tile
  int below_place_, place_, above_place_;  // of that cell in the tile's three planes
  Real pressure_;                          // of the background of plane k
  FetchedCell own_[rows], ring_;
  int inside_;  // rows of the thread that lie inside the box
  Cell<Real> here_[rows];
  State<Real> coming_[rows];  // own cells three planes up
  State<Real> state_[rows];   // of the cells being updated, where it is not kept
  State<Real> change_[rows];  // the column's difference, or what is after it where the state is kept
  State<Real> below_[rows], north_[rows], east_[rows];  // fluxes; after march_up `below` is that above
  bool suspect_ = false;
  Findings found_;
};

template <class Scheme, Limiting limiting, class Real>
__device__ __forceinline__ int march(const Sweep<Real>& sweep, const PlaneRange planes, Findings& found) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  March<Scheme, limiting, Real> march(sweep, planes, shared_memory);
  const int left = march.run();
  found = march.found();
  return left;
}

template <class Scheme, class Real>
__device__ __noinline__ Findings march_limiting(Sweep<Real> sweep, PlaneRange planes) {
  Findings found;
  march<Scheme, Limiting::act>(sweep, planes, found);
  return found;
}

template <class Scheme, Positivity positivity, class Real>
__global__ void __launch_bounds__(TileShape<Scheme, Real>::threads,
                                  TileShape<Scheme, Real>::blocks_per_multiprocessor)
    sweep_kernel(const __grid_constant__ Sweep<Real> sweep, int depth) {
  let_kernel_behind_start();
  await_kernel_ahead();
  if (sweep.clock->dt == 0) return;
  if (threadIdx.x == 0) atomicMin(&sweep.busy->begin, nanoseconds());
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
  if (threadIdx.x == 0) atomicMax(&sweep.busy->end, nanoseconds());
}

/// How many planes a block marches: long marches read the fewest planes twice, short ones keep every
/// multiprocessor busy. The cost is that of so many waves of blocks, each with its planes and its start.
inline int march_depth(const Planes& planes, int tiles, int blocks_at_once) {
  constexpr double start = 2.5;  // planes' worth of time before the first is done (a guess that serves)
  constexpr int most_waves = 8;
  const int most = max(planes.low.count(), planes.high.count());
  int best = most;
  double least = 1e300;
  for (int waves = 1; waves <= most_waves; ++waves) {
    const int chunks = max(1, waves * blocks_at_once / tiles);
    const int depth = max(1, (most + chunks - 1) / chunks);
    const int blocks = tiles * ((most + depth - 1) / depth);
    const double cost = ((blocks + blocks_at_once - 1) / blocks_at_once) * (depth + start);
    if (cost < least) {
      least = cost;
      best = depth;
    }
  }
  return best;
}

/// Shared memory of a block, in bytes.
template <class Scheme, Positivity positivity, class Real>
inline constexpr int sweep_memory = sizeof(TileMemory<Scheme, Real, KeptCell<Scheme, positivity>>);

template <class Scheme, Positivity positivity, class Real>
void launch_sweep(const Sweep<Real>& sweep, int multiprocessors, cudaStream_t stream) {
  using Shape = TileShape<Scheme, Real>;
  constexpr auto kernel = sweep_kernel<Scheme, positivity, Real>;
  constexpr int memory = sweep_memory<Scheme, positivity, Real>;
  static std::set<int> allowed;  // GPUs
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current GPU");
  if (allowed.insert(device).second)
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, memory),
               "asking for shared memory");
  const Layout& layout = sweep.slab.layout;
  dim3 grid((layout.nx + Shape::width - 1) / Shape::width, (layout.ny + Shape::height - 1) / Shape::height);
  const int depth =
      march_depth(sweep.planes, grid.x * grid.y, Shape::blocks_per_multiprocessor * multiprocessors);
  grid.z = (sweep.planes.low.count() + depth - 1) / depth + (sweep.planes.high.count() + depth - 1) / depth;
  launch_early(kernel, {grid, Shape::threads, memory}, stream, "starting a sweep", sweep, depth);
}

}  // namespace tayra
