// The tile of cells that a block of the GPU's sweep streams up with: its shape, what the block shares of it,
// where its cells lie and how their states come from memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/cuda_barrier.cuh"
#include "core/cuda_copy.cuh"
#include "core/cuda_word_groups.cuh"
#include "core/gpu_class.hpp"
#include "physics/smooth.hpp"
#include "solver/sweep.hpp"
#include "solver/sweep_cell.hpp"

namespace tayra {

inline constexpr int warp_threads = 32;

/// Of a multiprocessor: as many as have 255 registers a thread in double, 128 in single.
template <class Real>
inline constexpr int warps_at_once = 64 / sizeof(Real);

/// Whether registers and shared memory leave room for two rows of cells a thread.
template <class Scheme, class Real, GpuClass gpu>
inline constexpr bool has_tall_tile =
    sizeof(Real) == 4 ||
    (!Scheme::traits.fills_registers &&
     (gpu == GpuClass::kib228 || (gpu == GpuClass::kib164 && KeptCell<Scheme, Positivity::off>::words <= 6)));

/// Whether they do for sixteen warps (a few words of weno3 may spill, as in tall tiles).
template <class Scheme, class Real, GpuClass gpu>
inline constexpr bool has_square_tile =
    gpu == GpuClass::kib228&& warps_at_once<Real> >= 16 && has_tall_tile<Scheme, Real, gpu>;

/// Whether the loop over planes is much longer than the others (5,400 instructions), and wants most
/// registers.
template <class Scheme, class Real>
inline constexpr bool has_longest_loop = sizeof(Real) == 4 && Scheme::traits.fills_registers;

/// Keeps the compiler from knowing where a number comes from: it neither finds the number anew wherever it is
/// used, nor holds what follows from it.
template <class Integer>
__device__ __forceinline__ void opaque(Integer& number) {
  asm volatile("" : "+r"(number));
}

/// Keeps the compiler from finding a flux later than here.
template <class Real>
__device__ __forceinline__ void materialize([[maybe_unused]] State<Real>& flux) {
#ifdef __CUDA_ARCH__
  for (Real* word : {&flux.density, &flux.momentum[0], &flux.momentum[1], &flux.momentum[2], &flux.energy})
    if constexpr (sizeof(Real) == sizeof(double))
      asm volatile("" : "+d"(*word));
    else
      asm volatile("" : "+f"(*word));
#endif
}

/// A square tile has the least apron for its cells; two tall ones on a multiprocessor don't wait for each
/// other; flat ones give every multiprocessor work on a small grid. Boxes of one cell along y have tiles of a
/// single row, each a warp's: no thread idles, and there are no y faces.
enum class TileKind { square, tall, flat, row };

/// Cut for a class of GPUs.
struct Tile {
  TileKind kind;
  GpuClass gpu;
  bool carries = false;  // scalars: leaves the mass through its faces to them
};

template <class Scheme, class Real, Tile tile>
struct TileShape {
  static constexpr bool is_double = sizeof(Real) == sizeof(double);
  static constexpr bool square = tile.kind == TileKind::square && has_square_tile<Scheme, Real, tile.gpu>;
  static constexpr bool tall =
      square || (tile.kind == TileKind::tall && has_tall_tile<Scheme, Real, tile.gpu>);
  static constexpr bool has_y_faces = tile.kind != TileKind::row;
  static constexpr bool carries = tile.carries;
  static constexpr bool keeps_reciprocals = tile.gpu != GpuClass::kib100;
  // As high as a multiprocessor's memory and registers allow.
  static constexpr int tall_height = !is_double && tile.gpu == GpuClass::kib164 ? 24 : 16;
  static constexpr int flat_height = !is_double                     ? 8
                                     : tile.gpu == GpuClass::kib100 ? 6
                                     : tile.gpu == GpuClass::kib164 &&
                                             !has_tall_tile<Scheme, Real, tile.gpu> &&
                                             !Scheme::traits.fills_registers
                                         ? 10
                                         : 8;
  // Two rows a thread share loads and addresses.
  static constexpr int rows = tall ? 2 : 1;
  static constexpr int width = warp_threads;
  static constexpr int height = square ? 32 : tall ? tall_height : has_y_faces ? flat_height : 1;
  static constexpr int threads = width * height / rows;
  static constexpr int apron = 2;
  static constexpr int apron_above = has_y_faces ? apron : 0;  // and below, along y
  static constexpr int blocks_per_multiprocessor = tile.kind == TileKind::flat ? 1
                                                   : tile.gpu == GpuClass::kib228
                                                       ? warps_at_once<Real> * width / threads
                                                   : tile.kind == TileKind::row ? warps_at_once<Real> / 2
                                                                                : 1;
  static constexpr int warps = threads / warp_threads;
  // In planes. Longer ones measure slower where a multiprocessor has many warps: neighbours that start anew
  // are side by side again. With eight this gains nothing (docs/performance-log.md).
  static constexpr int longest_stream = square                           ? 256
                                        : blocks_per_multiprocessor == 2 ? 128
                                                                         : std::numeric_limits<int>::max();
  // A plane's time, in planes of tall tiles that fill a multiprocessor, and how many planes later than theirs
  // a z-stream's first one is done (guesses that serve). A flat tile has half the cells, but more apron for
  // each and, in single, fewer warps at once.
  static constexpr double time_of_a_plane = square ? 0.93 : tall ? 1 : 0.7 * 16 / tall_height;
  static constexpr double later_start = square ? 0.5 : 0;
  // Four warps fetch a row of the apron each; others its columns, as many rows as make up a warp of cells.
  static constexpr int column_rows = warp_threads / (2 * apron);
  static constexpr int row_warps = 2 * apron_above;
  static constexpr int warps_with_apron = row_warps + (height + column_rows - 1) / column_rows;
  // First faces are taken between arriving at a plane's barrier and waiting there, those of the plane above,
  // by two pairs of warps in turn; else by the last two warps, which have no apron. With this the longest
  // loop took 40 to 55 % longer, probably because warps apart in it fetch its code once more.
  static constexpr bool edge_faces_ahead = has_y_faces && (!tall || !has_longest_loop<Scheme, Real>);
  // Else the compiler may read threadIdx.x anew up to 20 times a plane.
  static constexpr bool holds_thread_number = tall && !has_longest_loop<Scheme, Real>;
  static_assert(!has_y_faces || (warps % 2 == 0 && (edge_faces_ahead ? 4 : warps_with_apron + 2) <= warps),
                "of the warps that take edge faces the odd one takes the row (FlaggedFaces::mark)");
  // With two rows a thread most loops are longer than the instruction cache, of about 2,048, with seldom work
  // in them. Short z-streams do better without a jump to where nothing is cached yet.
  static constexpr bool calls_seldom_work = tall;
  // A wait is for all loads of a burst: a z-stream asks for its first apron when its other states have come,
  // and computes the first fluxes meanwhile. That shortens short z-streams. Where there are no square tiles
  // tall ones stream far, too, and would lose as much in their loop, which the compiler lays out anew
  // (docs/performance-log.md).
  static constexpr bool apron_comes_later = tall && !square && has_square_tile<Scheme, Real, tile.gpu>;
  // In double warps are few, and wait for results: each computes a cell of the apron among its own, be it
  // for nothing. Where memory is short, warps without apron have no place for it.
  static constexpr bool apron_among_own = is_double && tile.gpu != GpuClass::kib100;
  static_assert(height <= 32, "one warp computes the edge faces along x");
  // A block's share of a multiprocessor's shared memory.
  static constexpr std::size_t share_of_memory(int blocks) {
    return shared_memory_of(tile.gpu) / blocks - 1024;
  }
  static constexpr std::size_t memory = share_of_memory(blocks_per_multiprocessor);
  // Two blocks on one leave another idle: more than planned must not fit.
  static constexpr std::size_t least_memory = share_of_memory(blocks_per_multiprocessor + 1) + 1;
};

/// What a warp fetches of a plane comes in pieces of 16 bytes. It waits in shared memory: in registers it
/// would crowd the faces out, or come too late.
template <class Real>
inline constexpr int piece_cells = 16 / sizeof(Real);

/// For so many cells, of all their variables or of the last few; each instruction copies pieces of one
/// variable or two.
template <class Real, int cells, int variables = field_variables>
struct alignas(128) Inbox {
  static constexpr int pieces = cells / piece_cells<Real>;
  static constexpr unsigned first_variable = field_variables - variables;
  static_assert(pieces == warp_threads || pieces == warp_threads / 2);
  Real states[variables * cells];
};

/// Cells beside a face that wants the positivity limiter, a bit each: of the planes of an even and of an odd
/// round, since a warp may be a plane ahead of another.
template <class Shape>
struct FlagMarks {
  unsigned cells[2][Shape::height];
  int plane[2];            // the last that has any
  int first_plane;         // of the z-stream that has
  unsigned limited_faces;  // of the z-stream

  /// Seen by all after the next barrier.
  __device__ __forceinline__ void begin() {
    if (threadIdx.x < 2 * Shape::height) cells[threadIdx.x / Shape::height][threadIdx.x % Shape::height] = 0;
    if (threadIdx.x > 0) return;
    plane[0] = plane[1] = -1;
    first_plane = std::numeric_limits<int>::max();
    limited_faces = 0;
  }
};

/// Cells of the planes k, k + 1 and k + 2, and what threads share or wait for.
template <class Scheme, class Real, Tile tile, class Kept_>
struct TileMemory {
  using Kept = Kept_;
  using Shape = TileShape<Scheme, Real, tile>;
  static constexpr int planes = 3;
  static constexpr int pitch = Shape::width + 2 * Shape::apron + 1;  // odd: a column meets every bank
  // The last corner of a plane and the first of the next belong to no stencil and overlap.
  static constexpr int corners = Shape::has_y_faces ? 2 * Shape::apron + 1 : 0;
  static constexpr int plane = (Shape::height + 2 * Shape::apron_above) * pitch - corners;

  // Of as many pieces as half a warp copies at once.
  static constexpr int least_cells = warp_threads / 2 * piece_cells<Real>;
  static constexpr int own_cells = Shape::rows * Shape::width;
  using Own = Inbox<Real, std::max(own_cells, least_cells)>;
  using OwnButDensity = Inbox<Real, std::max(own_cells, least_cells), field_variables - 1>;
  using Apron = Inbox<Real, least_cells>;
  Own coming[Shape::warps];  // the cells two planes up
  // Two rows fill a landing in single. Of a warp without apron nothing lands there, nor is what it reads
  // kept; in single its place is only reckoned.
  static constexpr int rows_a_burst = least_cells / Shape::width;
  static constexpr int row_bursts = Shape::row_warps / rows_a_burst;
  static constexpr int apron_warps = Shape::apron_among_own ? Shape::warps : Shape::warps_with_apron;
  Apron apron[row_bursts + apron_warps - Shape::row_warps];
  WordGroups<Real, Kept::words, planes * plane + Shape::apron> cells;
  /// Of even and of odd rounds of a z-stream: a warp may be a plane ahead of another.
  struct Faces {
    WordGroups<Real, field_variables, Shape::height> first_x;
    WordGroups<Real, field_variables, Shape::height / Shape::rows * Shape::width> y;
  } faces[2];

  /// Of the planes k to k + 4; eight, since a remainder by eight is one instruction. Loads from memory in the
  /// loop over planes took as long as the copies under way (docs/performance-log.md).
  alignas(16) PlaneBackground<Real> background[8];
  __device__ __forceinline__ PlaneBackground<Real>& background_of(int k) { return background[k % 8u]; }
  __device__ __forceinline__ const PlaneBackground<Real>& background_of(int k) const {
    return background[k % 8u];
  }

  SplitBarrier plane_done;
  FlagMarks<Shape> marks;
  /// Where the number of a plane is found by its remainder, the plane has a cell that is not smooth.
  int troubled[8];
  SmoothSpread spreads[Shape::warps];
  bool has_alarm[Shape::warps];

  static constexpr std::size_t without_old = sizeof(coming) + sizeof(apron) + sizeof(cells) + sizeof(faces) +
                                             sizeof(background) + sizeof(plane_done) + sizeof(marks) +
                                             sizeof(troubled) + sizeof(spreads) + sizeof(has_alarm);
  static constexpr std::size_t room_before_old =
      (without_old + alignof(Own) - 1) / alignof(Own) * alignof(Own);
  static constexpr bool has_old = room_before_old + sizeof(coming) <= Shape::memory;
  // In flat tiles copying these ahead costs more than it saves (docs/performance-log.md).
  static constexpr bool has_updated =
      !Kept::has_state && Shape::tall &&
      room_before_old + sizeof(coming) + Shape::warps * sizeof(OwnButDensity) <= Shape::memory;
  struct Nothing {};
  std::conditional_t<has_old, Own[Shape::warps], Nothing> old;
  std::conditional_t<has_updated, OwnButDensity[Shape::warps], Nothing> updated;

  static constexpr __device__ int place(int x, int y) {
    return (y + Shape::apron_above) * pitch + x + Shape::apron;
  }
  __device__ __forceinline__ Apron& apron_of(int warp) {
    return apron[warp < Shape::row_warps ? warp / rows_a_burst : warp - Shape::row_warps + row_bursts];
  }
  __device__ __forceinline__ void put(int place, const Cell<Real>& cell) {
    Real words[Kept::words];
    Kept::store(cell, [&](int number, Real value) { words[number] = value; });
    cells.put(place, words);
  }
  /// Turned, x and y are exchanged: the x flux is then the y flux so exchanged, to the last bit.
  __device__ __forceinline__ Cell<Real> take(int place, Real background_pressure, const Gas<Real>& gas,
                                             bool turned = false) const {
    Real words[Kept::words];
    cells.take(place, words);
    if (turned) std::swap(words[1], words[2]);
    return Kept::template load<Real>([&](int number) { return words[number]; }, background_pressure, gas);
  }
};

/// A cell that a thread fetches plane by plane.
struct FetchedCell {
  int place;        // in the tile's plane
  int column, row;  // in the box, of the cell that it takes its state from
  int flips;        // bit by axis: the momentum that changes sign
};

template <class Memory, class Real>
__device__ __forceinline__ FetchedCell fetched_cell(const Slab<Real>& slab, int tile_row, int x, int y) {
  using Shape = typename Memory::Shape;
  const int nx = slab.layout.nx, ny = slab.layout.ny;
  // Cells more than two beyond the box belong to no stencil; any valid address will do.
  const Source from_x =
      ghost_source(min(static_cast<int>(blockIdx.x) * Shape::width + x, nx + 1), nx, slab.x);
  const Source from_y = row_source(min(tile_row * Shape::height + y, ny + 1), slab);
  return {Memory::place(x, y), from_x.index, from_y.index, from_x.flipped + 2 * from_y.flipped};
}

/// Where a cell of the apron lies beside the tile: a row, or all four columns of a few rows.
struct ApronPlace {
  int x, y;
};
template <class Shape>
__device__ ApronPlace apron_place(int warp, int lane) {
  const auto beside = [](int line, int length) {
    return line < Shape::apron ? line - Shape::apron : length + line - Shape::apron;
  };
  if (warp < Shape::row_warps) return {lane, beside(warp, Shape::height)};
  constexpr int columns = 2 * Shape::apron;
  return {beside(lane % columns, Shape::width),
          (warp - Shape::row_warps) * Shape::column_rows + lane / columns};
}

/// The place of another variable of a cell, `stride` cells apart: with 32 bits of bytes two instructions and
/// no register for the upper half (see most_cells_across).
template <class Real>
__device__ __forceinline__ Real* variable(Real* first, unsigned number, unsigned stride) {
  using Byte = std::conditional_t<std::is_const_v<Real>, const char, char>;
  return reinterpret_cast<Real*>(reinterpret_cast<Byte*>(first) + number * stride * unsigned{sizeof(Real)});
}

template <class Real>
__device__ __forceinline__ State<Real> load_state(const Real* from, unsigned stride) {
  return {*from,
          {{*variable(from, 1, stride), *variable(from, 2, stride), *variable(from, 3, stride)}},
          *variable(from, 4, stride)};
}

template <class Real>
__device__ __forceinline__ void store_state(const State<Real>& state, Real* to, unsigned stride) {
  to[0] = state.density;
  for (unsigned i = 0; i < 3; ++i) *variable(to, 1 + i, stride) = state.momentum[i];
  *variable(to, 4, stride) = state.energy;
}

/// To where this sweep reads no more: what neighbours read stays longer in the L2 cache.
template <class Real>
__device__ __forceinline__ void stream_state(const State<Real>& state, Real* to, unsigned stride) {
  __stcs(to, state.density);
  for (unsigned i = 0; i < 3; ++i) __stcs(variable(to, 1 + i, stride), state.momentum[i]);
  __stcs(variable(to, 4, stride), state.energy);
}

template <class Real>
__device__ __forceinline__ void flip(State<Real>& state, int flips) {
  if (flips == 0) return;
  if (flips & 1) state.momentum[0] = -state.momentum[0];
  if (flips & 2) state.momentum[1] = -state.momentum[1];
  if (flips & 4) state.momentum[2] = -state.momentum[2];
}

/// A warp's share of a plane: a lane starts at its piece of the first variable, or of the second.
template <Reads reads, class Real, int cells, int variables>
__device__ __forceinline__ void copy_pieces_ahead(Inbox<Real, cells, variables>& to, int lane,
                                                  const Real* from, unsigned stride, bool wanted) {
  constexpr int pieces = Inbox<Real, cells>::pieces, at_once = warp_threads / pieces;
  Real* place = to.states + lane * piece_cells<Real>;
#pragma unroll
  for (int v = 0; v < variables; v += at_once) {
    // The condition, held from plane to plane, was put aside in memory: that costs more than finding it.
    if (v + at_once > variables) opaque(lane);
    copy_piece_ahead<reads>(place + v * cells, variable(from, to.first_variable + v, stride),
                            wanted & (lane < (variables - v) * pieces));
  }
}
/// A cell's state word by word.
template <class Real, int cells, int variables>
__device__ __forceinline__ void copy_state_ahead(Inbox<Real, cells, variables>& to, int index,
                                                 const Real* from, unsigned stride) {
  for (unsigned v = 0; v < variables; ++v)
    copy_ahead(to.states + v * cells + index, variable(from, to.first_variable + v, stride));
}

/// A state in shared memory.
template <class Real, int places>
__device__ __forceinline__ void put_state(WordGroups<Real, field_variables, places>& to, int place,
                                          const State<Real>& state) {
  to.put(place, {state.density, state.momentum[0], state.momentum[1], state.momentum[2], state.energy});
}
template <class Real, int places>
__device__ __forceinline__ State<Real> take_state(const WordGroups<Real, field_variables, places>& from,
                                                  int place) {
  Real words[field_variables];
  from.take(place, words);
  return {words[0], {{words[1], words[2], words[3]}}, words[4]};
}
/// A state that was copied.
template <class Real, int cells>
__device__ __forceinline__ State<Real> take_state(const Inbox<Real, cells>& from, int index) {
  const Real* state = from.states + index;
  return {state[0], {{state[cells], state[2 * cells], state[3 * cells]}}, state[4 * cells]};
}
template <class Real, int cells>
__device__ __forceinline__ State<Real> take_state(const Inbox<Real, cells, field_variables - 1>& from,
                                                  int index, Real density) {
  const Real* state = from.states + index;
  return {density, {{state[0], state[cells], state[2 * cells]}}, state[3 * cells]};
}

template <class Real>
__device__ __forceinline__ State<Real> from_lane_before(const State<Real>& state) {
  const auto before = [](Real word) { return __shfl_up_sync(~0u, word, 1); };
  return {before(state.density),
          {{before(state.momentum[0]), before(state.momentum[1]), before(state.momentum[2])}},
          before(state.energy)};
}

/// Rare work is a call where in line it would make the loop over planes too long for the instruction cache.
/// Mostly a warp's threads all have some or none; for flagged faces, where they often differ, they vote first
/// (ZStream::run).
template <class Work>
__device__ __noinline__ auto called(Work work) {
  return work();
}
template <class Shape, class Work>
__device__ __forceinline__ auto cold_call(Work work) {
  if constexpr (Shape::calls_seldom_work)
    return called(work);
  else
    return work();
}

/// Of all lanes, in each of them.
__device__ __forceinline__ SmoothSpread over_warp(const SmoothSpread& spread) {
  return {__reduce_min_sync(~0u, spread.least_density), __reduce_max_sync(~0u, spread.most_density),
          __reduce_min_sync(~0u, spread.least_pressure), __reduce_max_sync(~0u, spread.most_pressure)};
}

}  // namespace tayra
