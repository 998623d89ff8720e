// How the states that a z-stream reads come from memory to its tile, each a plane before it is wanted.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "solver/sweep_tile.cuh"
#include "solver/z_stream_plan.cuh"

namespace tayra {

/// A thread by its first cell in the tile; a warp is as wide as a tile.
template <class Shape>
struct ThreadInTile {
  int x, y;

  __device__ __forceinline__ ThreadInTile() {
    unsigned number = threadIdx.x;
    if constexpr (Shape::holds_thread_number) opaque(number);
    x = number % Shape::width;
    y = number / Shape::width * Shape::rows;
  }

  __device__ __forceinline__ int warp() const { return y / Shape::rows; }
  __device__ __forceinline__ int lane() const { return x; }
  /// Whether it fetches a cell of the apron.
  __device__ __forceinline__ bool has_apron_cell() const { return has_apron(lane(), 2 * Shape::apron); }
  /// Whether it copies that piece of its warp's apron, if its warp has one.
  __device__ __forceinline__ bool has_apron_piece(int piece) const { return has_apron(piece, 2); }

 private:
  /// Of a row, or of the columns beside several rows, of which each has so many.
  __device__ __forceinline__ bool has_apron(int number, int of_a_row) const {
    constexpr bool fills_warps = Shape::height % Shape::column_rows == 0;
    return warp() < Shape::warps_with_apron &&
           (fills_warps || warp() < Shape::row_warps ||
            number < (Shape::height - (warp() - Shape::row_warps) * Shape::column_rows) * of_a_row);
  }
};

template <class Memory, class Real>
class ZStreamSupply {
  using Shape = typename Memory::Shape;
  static constexpr int rows = Shape::rows;
  static constexpr int no_piece = -1;

 public:
  __device__ __forceinline__ ZStreamSupply(const Sweep<Real>& sweep, const ZStreamPlace& place, Memory& tile,
                                           const ThreadInTile<Shape>& thread)
      : sweep_(sweep),
        slab_(sweep.slab),
        tile_row_(place.tile_row),
        planes_(place.planes),
        tile_(tile),
        thread_(thread),
        cells_of_plane_(slab_.layout.variable_stride()),
        start_(slab_.layout.plane_start(place.planes.begin)) {
    const Layout& layout = slab_.layout;
    packed_.inside = blockIdx.x * Shape::width + thread.x < layout.nx
                         ? max(0, min(rows, layout.ny - tile_row_ * Shape::height - thread.y))
                         : 0;
  }

  /// Finds where a thread's own cells come from.
  __device__ __forceinline__ void find_own() {
    packed_.own_flips = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const FetchedCell cell = fetched_cell<Memory>(slab_, tile_row_, thread_.x, thread_.y + r);
      offsets_[r] = offset_of(cell);
      packed_.own_flips |= cell.flips << 2 * r;
    }
  }
  /// The same of its cell of the apron, and what it copies; returns where that cell lies within one variable
  /// of a plane.
  __device__ __forceinline__ int find_apron_cell() {
    const ApronPlace place =
        apron_place<Shape>(min(thread_.warp(), Shape::warps_with_apron - 1), thread_.lane());
    const FetchedCell of_apron = fetched_cell<Memory>(slab_, tile_row_, place.x, place.y);
    const int offset = offset_of(of_apron);
    find_sources(of_apron);
    return offset;
  }

  __device__ __forceinline__ int tile_row() const { return tile_row_; }
  /// The thread's rows that lie in the box.
  __device__ __forceinline__ int inside() const { return packed_.inside; }
  /// Within one variable of a plane; of a cell beyond the box, of where it comes from.
  __device__ __forceinline__ int offset(int r) const { return offsets_[r]; }
  /// Where a field holds row r's cell of the plane that is swept.
  template <class Word>
  __device__ __forceinline__ Word* cell_of(Word* field, int r) const {
    return field + start_ + offsets_[r];
  }
  __device__ __forceinline__ unsigned cells_of_plane() const { return cells_of_plane_; }
  __device__ __forceinline__ State<Real> load(const Source& plane, int offset) const {
    return load_state(sweep_.u + slab_.layout.plane_start(plane.index) + offset, cells_of_plane_);
  }
  __device__ __forceinline__ int own_flips(int r) const { return packed_.own_flips >> 2 * r & 3; }
  /// The cells of a plane as their neighbours see them.
  __device__ __forceinline__ void flip_beyond(int k, State<Real> (&states)[rows]) const {
    if (packed_.inside >= rows && k < slab_.layout.nz) return;
    const int flips = plane_source(k, slab_).flipped ? 4 : 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) flip(states[r], flips | own_flips(r));
  }
  __device__ __forceinline__ int apron_flips() const { return packed_.apron_flips; }
  /// From the place of the thread's first cell in the tile.
  __device__ __forceinline__ int apron_distance() const { return packed_.apron_distance; }

  /// For the z-stream up from plane k, `ahead` of the plane that is swept: the warp's rows two planes up and
  /// its share of their apron, as far as a face needs them. Neighbours read the same rows at the same time: a
  /// plane later many have left the L2 cache (docs/performance-log.md).
  __device__ __forceinline__ void copy_coming_ahead(int k, unsigned ahead) {
    __syncwarp();  // all lanes have read what is overwritten now
    const int coming = k + 2;
    const bool wanted = coming <= planes_.end + 1, apron_wanted = coming < planes_.end;
    const Real* u = sweep_.u + (coming < slab_.layout.nz ? start_ahead(ahead + 2)
                                                         : start_of(plane_source(coming, slab_).index));
    copy_pieces_ahead<Reads::again>(tile_.coming[warp()], lane(), u + own_source_, cells_of_plane_,
                                    wanted & (own_source_ != no_piece));
    copy_pieces_ahead<Reads::again>(tile_.apron_of(warp()), lane(), u + apron_source_, cells_of_plane_,
                                    apron_wanted & packed_.apron_in_pieces);
    if (packed_.by_words)
      cold_call<Shape>([supply = *this, u, wanted, apron_wanted]() mutable {
        supply.copy_coming_by_words(u, wanted, apron_wanted);
      });
    // For the next round but one: others see it after the barrier in between.
    if (lane() == 0 && warp() == Shape::warps - 1)
      copy_ahead(&tile_.background_of(k + 3), slab_.background + min(k + 3, slab_.layout.nz + 1));
    end_batch_of_copies();
  }
  /// What the next update wants of the warp's rows: the old states, and the present ones where those kept
  /// are rounded.
  __device__ __forceinline__ void copy_for_update_ahead() {
    __syncwarp();
    if constexpr (Memory::has_old)
      if (sweep_.stage.keep != 0) copy_rows_ahead<Reads::once>(tile_.old[warp()], sweep_.u_old + start_);
    if constexpr (Memory::has_updated)
      copy_rows_ahead<Reads::again>(tile_.updated[warp()], sweep_.u + start_);
    end_batch_of_copies();
  }
  /// What is to be updated and what is coming are copied in turn, each batch asked for while the one before
  /// is on its way: a plane's time for either.
  __device__ __forceinline__ void wait_for_batch_ahead() {
    wait_for_all_batches_but_last();
    __syncwarp();
  }

  /// Two planes up.
  __device__ __forceinline__ State<Real> coming(int r) const {
    return take_state(tile_.coming[warp()], own_index(r));
  }
  __device__ __forceinline__ State<Real> coming_apron() const {
    return take_state(tile_.apron_of(warp()), packed_.apron_index);
  }
  __device__ __forceinline__ State<Real> old_state(int r) const {
    if constexpr (Memory::has_old)
      return take_state(tile_.old[warp()], own_index(r));
    else
      return load_state(cell_of(sweep_.u_old, r), cells_of_plane_);
  }
  /// The present one, whose density is at hand.
  __device__ __forceinline__ State<Real> updated_state(int r, Real density) const {
    return take_state(tile_.updated[warp()], own_index(r), density);
  }

  __device__ __forceinline__ void step_up() { start_ += plane_words(); }

 private:
  __device__ __forceinline__ int warp() const { return thread_.warp(); }
  __device__ __forceinline__ int lane() const { return thread_.lane(); }
  __device__ __forceinline__ bool in_pieces() const { return slab_.layout.nx % piece_cells<Real> == 0; }
  /// Of the thread's row r among the states of its warp.
  __device__ __forceinline__ int own_index(int r) const { return r * Shape::width + thread_.x; }
  /// 32 bits count them (see most_cells_across).
  __device__ __forceinline__ unsigned plane_words() const {
    return (field_variables + (Shape::carries ? slab_.layout.scalars : 0)) * cells_of_plane_;
  }
  /// Of the plane so many above that of start_.
  __device__ __forceinline__ std::size_t start_ahead(unsigned planes) const {
    return start_ + static_cast<std::size_t>(planes) * plane_words();
  }
  /// Of a plane in memory, by one wide multiplication.
  __device__ __forceinline__ std::size_t start_of(int k) const {
    return static_cast<std::size_t>(k + ghost_planes) * plane_words();
  }
  __device__ __forceinline__ int offset_of(const FetchedCell& cell) const {
    return cell.row * slab_.layout.nx + cell.column;
  }

  /// A lane copies a piece of its warp's share, or its own cells where a row is not made of whole pieces.
  __device__ __forceinline__ void find_sources(const FetchedCell& of_apron) {
    static_assert(Memory::plane < 1 << 11, "a distance has twelve bits");
    packed_.apron_distance = of_apron.place - Memory::place(thread_.x, thread_.y);
    packed_.apron_index = lane() + row_in_burst() * Shape::width;
    packed_.apron_flips = of_apron.flips;
    apron_source_ = offset_of(of_apron);
    own_source_ = no_piece;
    packed_.by_words = !(in_pieces() && packed_.inside >= rows);
    packed_.apron_in_pieces = false;
    if (in_pieces()) find_pieces(of_apron);
    for (int* found_once : {&own_source_, &apron_source_}) opaque(*found_once);
  }
  __device__ __forceinline__ void find_pieces(const FetchedCell& of_apron) {
    constexpr int cells = piece_cells<Real>;
    const auto first_variable = [&](int pieces) {
      return lane() / pieces * static_cast<int>(cells_of_plane_);
    };
    constexpr int own_pieces = Memory::Own::pieces, apron_pieces = Memory::Apron::pieces;
    const int first = lane() % own_pieces * cells, column = first % Shape::width, row = first / Shape::width;
    const bool in_box = row < rows && blockIdx.x * Shape::width + column < slab_.layout.nx &&
                        tile_row_ * Shape::height + thread_.y + row < slab_.layout.ny;
    own_source_ =
        in_box ? first_variable(own_pieces) + offset_in_box(column, thread_.y + row, cells) : no_piece;
    // Both cells on a side of a row come in one piece.
    const int piece = lane() % apron_pieces;
    const int sides = of_apron.row * slab_.layout.nx + of_apron.column / cells * cells;
    const int side = __shfl_sync(~0u, sides, piece * Shape::apron);
    if (warp() < Shape::row_warps) {
      apron_source_ = of_apron.row * slab_.layout.nx + column_in_box(piece * cells % Shape::width, cells);
    } else {
      apron_source_ = side;
      packed_.apron_index = lane() / Shape::apron * cells + of_apron.column % cells;
    }
    apron_source_ += first_variable(apron_pieces);
    packed_.apron_in_pieces = thread_.has_apron_piece(piece) &&
                              (warp() >= Shape::row_warps || piece * cells / Shape::width == row_in_burst());
  }
  /// Of so many cells in a row. What lies beyond the box belongs to no stencil here; any column or row will
  /// do.
  __device__ __forceinline__ int column_in_box(int x, int cells) const {
    return min(static_cast<int>(blockIdx.x) * Shape::width + x, slab_.layout.nx - cells);
  }
  __device__ __forceinline__ int offset_in_box(int x, int y, int cells) const {
    const int row = min(tile_row_ * Shape::height + y, slab_.layout.ny - 1);
    return row * slab_.layout.nx + column_in_box(x, cells);
  }

  /// Of the apron's rows; other warps have a place of their own in it.
  __device__ __forceinline__ int row_in_burst() const { return warp() % Memory::rows_a_burst; }

  /// What no piece brings, from where the states of cells beyond the box come.
  __device__ __forceinline__ void copy_coming_by_words(const Real* u, bool wanted, bool apron_wanted) {
    if (wanted)
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        if (r < packed_.inside && in_pieces()) continue;
        copy_state_ahead(tile_.coming[warp()], own_index(r), u + offsets_[r], cells_of_plane_);
      }
    if (apron_wanted && thread_.has_apron_cell() && !in_pieces())
      copy_state_ahead(tile_.apron_of(warp()), packed_.apron_index, u + apron_source_, cells_of_plane_);
  }
  template <Reads reads, class Rows>
  __device__ __forceinline__ void copy_rows_ahead(Rows& to, const Real* from) {
    copy_pieces_ahead<reads>(to, lane(), from + own_source_, cells_of_plane_, own_source_ != no_piece);
    if (!packed_.by_words || in_pieces()) return;  // a bit is at hand, the grid's width has to be fetched
    cold_call<Shape>([supply = *this, &to, from] {
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (r < supply.packed_.inside)
          copy_state_ahead(to, supply.own_index(r), from + supply.offsets_[r], supply.cells_of_plane_);
    });
  }

  const Sweep<Real>& sweep_;
  const Slab<Real>& slab_;
  const int tile_row_;
  const PlaneRange planes_;
  Memory& tile_;
  const ThreadInTile<Shape> thread_;
  const unsigned cells_of_plane_;
  std::size_t start_;  // in memory, of the plane that is swept
  int offsets_[rows];
  int own_source_;    // of the piece of its warp's rows that a lane copies, within a plane, or no_piece
  int apron_source_;  // of the piece, or the cell, of the apron
  // One register for all: the thread's cell of the apron, how it copies, and rows that lie inside the box.
  struct {
    int apron_distance : 12;
    int apron_index : 8;            // among the states that its warp fetches
    unsigned own_flips : 2 * rows;  // two bits a row
    unsigned apron_flips : 2;
    bool apron_in_pieces : 1;  // a lane copies one of the apron
    bool by_words : 1;         // a thread copies cells that lie in no piece
    int inside : 4;
  } packed_;
  static_assert(sizeof(packed_) == sizeof(int));
};

}  // namespace tayra
