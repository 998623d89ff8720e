// The stage sweep on a CPU: tiles of x-y march up z, rows are SIMD packs, every face flux is computed once a
// tile. A tile keeps four planes of cells and two of z fluxes in the second-level cache; per cell and stage
// it moves the 10 (first stage) or 15 words that the design counts, plus 4 rows of every tile edge again.
// A row is done in short loops, one after the other, whose packs the processor overlaps; what one loop leaves
// for the next stays in the first-level cache.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/simd.hpp"
#include "solver/sweep.hpp"
#include "solver/sweep_cell.hpp"

namespace tayra {
namespace {

inline constexpr int ring_planes = 4;
inline constexpr int margin = 2;
inline constexpr std::size_t tile_bytes = 1 << 20;
inline constexpr int widest_tile = 128;

struct Tile {
  int x, y;           // first cell
  int width, height;  // cells
  PlaneRange planes;
};

/// Memory of one thread's tile: cells with a margin in x and y, and face fluxes. Column 0 of every row starts
/// a cache line: a pack across two costs twice.
template <class Real, int cell_words>
class Scratch {
 public:
  static constexpr int lanes = Pack<Real>::size();

  static int row_stride(int width) { return (width + margin + lanes - 1) / lanes * lanes + lanes; }
  /// For every cell of a tile.
  static constexpr int words() { return ring_planes * cell_words + 2 * field_variables; }

  void fit(const Tile& tile) {
    stride_ = row_stride(tile.width);
    cell_plane_ = std::size_t(stride_) * (tile.height + 2 * margin);
    flux_plane_ = std::size_t(stride_) * tile.height;
    const std::size_t size = ring_planes * cell_words * cell_plane_ + 2 * field_variables * flux_plane_ +
                             3 * field_variables * stride_;
    const std::size_t lines = (size + CacheLine::size - 1) / CacheLine::size;
    if (memory_.size() < lines) memory_.resize(lines);
    cells_ = memory_.data()->words;
    z_fluxes_ = cells_ + ring_planes * cell_words * cell_plane_;
    rows_ = z_fluxes_ + 2 * field_variables * flux_plane_;
  }

  std::size_t cell_word() const { return cell_plane_; }
  std::size_t z_flux_word() const { return flux_plane_; }
  std::size_t row_word() const { return stride_; }
  /// Words of the cell at column 0, row j of plane k.
  Real* cells(int k, int j) {
    return cells_ + ((k + ring_planes) % ring_planes) * cell_words * cell_plane_ +
           std::size_t(j + margin) * stride_ + lanes;
  }
  /// Fluxes through the upper face of plane k, row j.
  Real* z_flux(int k, int j) {
    return z_fluxes_ + ((k + 2) % 2) * field_variables * flux_plane_ + std::size_t(j) * stride_;
  }
  /// Fluxes through the upper faces of row j.
  Real* y_flux(int j) { return rows_ + ((j + 2) % 2) * field_variables * stride_; }
  /// Fluxes through the upper face of column -1, 0, ...
  Real* x_flux() { return rows_ + 2 * field_variables * stride_; }

 private:
  struct alignas(64) CacheLine {
    static constexpr std::size_t size = 64 / sizeof(Real);
    Real words[size];
  };

  std::vector<CacheLine> memory_;
  Real* cells_ = nullptr;
  Real* z_fluxes_ = nullptr;
  Real* rows_ = nullptr;
  int stride_ = 0;
  std::size_t cell_plane_ = 0;
  std::size_t flux_plane_ = 0;
};

template <class Real>
TAYRA_HD State<Pack<Real>> load_state(const Real* from, std::size_t word) {
  return {
      load(from), {{load(from + word), load(from + 2 * word), load(from + 3 * word)}}, load(from + 4 * word)};
}

template <class Real>
TAYRA_HD void store_state(const State<Pack<Real>>& state, Real* to, std::size_t word) {
  store(state.density, to);
  for (int i = 0; i < 3; ++i) store(state.momentum[i], to + (1 + i) * word);
  store(state.energy, to + 4 * word);
}

template <class Real>
Pack<Real> lane_numbers() {
  return Pack<Real>([](auto lane) { return Real(int(lane)); });
}

/// What a thread found while sweeping; merged into the clock at the end.
struct Findings {
  double signal_rate = 0;
  std::int64_t bad_cell = no_cell;
  unsigned long long limited_faces = 0;

  void merge(const Findings& other) {
    signal_rate = std::max(signal_rate, other.signal_rate);
    bad_cell = std::min(bad_cell, other.bad_cell);
    limited_faces += other.limited_faces;
  }
};

template <class Scheme, Positivity positivity, class Real>
class TileSweep {
 public:
  using N = Pack<Real>;
  using Kept = KeptCell<Scheme, positivity>;
  using Memory = Scratch<Real, Kept::words>;
  static constexpr int lanes = N::size();

  TileSweep(const Sweep<Real>& sweep, const Tile& tile, Memory& scratch)
      : sweep_(sweep),
        slab_(sweep.slab),
        layout_(sweep.slab.layout),
        tile_(tile),
        scratch_(scratch),
        length_(step_length<Scheme, Real>(sweep.clock->dt, sweep.slab.spacing)) {
    scratch_.fit(tile);
  }

  Findings run() {
    const auto [begin, end] = tile_.planes;
    for (int k = begin - 2; k <= begin + 1; ++k)
      for (int j = -margin; j < tile_.height + margin; ++j) make_cells(k, j);
    for (int j = 0; j < tile_.height; ++j) row_fluxes<2>(column(begin - 1, j), upper_faces(begin - 1, j));
    found_.limited_faces = 0;  // a face is counted by the cell below it
    for (int k = begin; k < end; ++k) sweep_plane(k);
    return found_;
  }

 private:
  /// A row of cells in the field that is read.
  struct FieldRow {
    const Real* states;
    bool flipped_y, flipped_z;
    Real pressure;  // of the background
  };

  /// Four rows of cells along an axis, and the background's pressure there.
  struct Rows {
    std::array<const Real*, 4> cells;
    std::size_t word;
    std::array<Real, 4> background;
  };

  /// A row of faces, the first of which are not counted, and where their fluxes go.
  struct Faces {
    int first_counted, end;
    Real* fluxes;
    std::size_t word;
  };

  /// A pack of cells that reaches beyond the box, or beyond what any stencil needs: ghosts come from where
  /// the boundary says, and lanes further out repeat the last ghost so that they compute something harmless.
  TAYRA_HD_RARE State<N> states_at_edge(const Real* row, int x) const {
    const std::size_t word = layout_.variable_stride();
    std::array<Source, lanes> sources;
    for (int lane = 0; lane < lanes; ++lane)
      sources[lane] = ghost_source(std::clamp(x + lane, -margin, layout_.nx + 1), layout_.nx, slab_.x);
    const auto read = [&](int variable) {
      return N([&](auto lane) { return row[variable * word + sources[lane].index]; });
    };
    const N sign([&](auto lane) { return Real(sources[lane].flipped ? -1 : 1); });
    return {read(0), {{sign * read(1), read(2), read(3)}}, read(4)};
  }

  FieldRow field_row(int k, int j) const {
    const auto plane = plane_source(k, slab_);
    const auto row = ghost_source(std::min(tile_.y + j, layout_.ny + 1), layout_.ny, slab_.y);
    return {sweep_.u + layout_.plane_start(plane.index) + std::size_t(row.index) * layout_.nx, row.flipped,
            plane.flipped, background(k)};
  }

  TAYRA_HD Cell<N> cell_of(const FieldRow& row, int i) const {
    const int x = tile_.x + i;
    const bool inner = x >= 0 && x + lanes <= layout_.nx;
    State<N> state =
        inner ? load_state(row.states + x, layout_.variable_stride()) : states_at_edge(row.states, x);
    if (row.flipped_y) state.momentum[1] = -state.momentum[1];
    if (row.flipped_z) state.momentum[2] = -state.momentum[2];
    return make_cell<N>(state, N(row.pressure), sweep_.flow.gas);
  }

  void make_cells(int k, int j) {
    const FieldRow from = field_row(k, j);
    Real* to = scratch_.cells(k, j);
    const std::size_t word = scratch_.cell_word();
    for (int i = -lanes; i < tile_.width + margin; i += lanes)
      Kept::store(cell_of(from, i), [&](int number, const N& pack) { store(pack, to + i + number * word); });
  }

  TAYRA_HD Stencil<N> stencil(const Rows& rows, int i) const {
    const auto cell = [&](int n) {
      return Kept::template load<N>([&](int number) { return load(rows.cells[n] + i + number * rows.word); },
                                    N(rows.background[n]), sweep_.flow.gas);
    };
    return {cell(0), cell(1), cell(2), cell(3)};
  }

  /// Through a pack of faces between the second and the third of the rows. Where the limiter has to act all
  /// is computed once more: its code, and the registers that it wants, stay out of the loops.
  template <int axis>
  TAYRA_HD void fluxes(const Rows& rows, const Faces& faces, int i) {
    if constexpr (positivity == Positivity::off) {
      store_state<Real>(Scheme::template flux<axis>(stencil(rows, i), sweep_.flow.gas), faces.fluxes + i,
                        faces.word);
    } else {
      const FaceFlux<N> face = unlimited_flux<Scheme, positivity, axis>(stencil(rows, i), sweep_.flow.gas);
      store_state<Real>(face.flux, faces.fluxes + i, faces.word);
      if (any_of(face.suspect)) limited_fluxes<axis>(rows, faces, i);
    }
  }

  template <int axis>
  TAYRA_HD_RARE void limited_fluxes(const Rows& rows, const Faces& faces, int i) {
    const FaceFlux<N> face = face_flux<Scheme, positivity, axis>(stencil(rows, i), sweep_.flow.gas);
    store_state<Real>(face.flux, faces.fluxes + i, faces.word);
    count_touched(face.suspect, i, faces.first_counted, faces.end);
  }

  template <int axis>
  void row_fluxes(const Rows rows, const Faces faces) {
    for (int i = 0; i < faces.end; i += lanes) fluxes<axis>(rows, faces, i);
  }

  void count_touched(const typename N::mask_type& touched, int i, int first, int end) {
    for (int lane = 0; lane < lanes; ++lane)
      if (touched[lane] && i + lane >= first && i + lane < end) ++found_.limited_faces;
  }

  Real background(int k) const { return slab_.background[k].pressure; }

  void x_fluxes(int k, int j) {
    const Real* row = scratch_.cells(k, j);
    const Real b = background(k);
    row_fluxes<0>({{row - 2, row - 1, row, row + 1}, scratch_.cell_word(), {b, b, b, b}},
                  {1, tile_.width + 1, scratch_.x_flux(), scratch_.row_word()});
  }

  void y_fluxes(int k, int j) {
    const auto row = [&](int n) { return scratch_.cells(k, j + n); };
    const Real b = background(k);
    row_fluxes<1>({{row(-1), row(0), row(1), row(2)}, scratch_.cell_word(), {b, b, b, b}},
                  {j < 0 ? tile_.width : 0, tile_.width, scratch_.y_flux(j), scratch_.row_word()});
  }

  Rows column(int k, int j) const {
    const auto plane = [&](int n) { return scratch_.cells(k + n, j); };
    return {{plane(-1), plane(0), plane(1), plane(2)},
            scratch_.cell_word(),
            {background(k - 1), background(k), background(k + 1), background(k + 2)}};
  }
  Faces upper_faces(int k, int j) const {
    return {0, tile_.width, scratch_.z_flux(k, j), scratch_.z_flux_word()};
  }

  void sweep_plane(int k) {
    for (int j = -margin; j < 0; ++j) make_cells(k + 2, j);
    y_fluxes(k, -1);
    for (int j = 0; j < tile_.height; ++j) {
      make_cells(k + 2, j);
      x_fluxes(k, j);
      y_fluxes(k, j);
      update(k, j);
      if (sweep_.stage.last) inspect(k, j);
    }
    for (int j = 0; j < margin; ++j) make_cells(k + 2, tile_.height + j);
  }

  /// Where row j of plane k starts in a field.
  std::size_t place(int k, int j) const {
    return layout_.plane_start(k) + std::size_t(tile_.y + j) * layout_.nx + tile_.x;
  }
  int valid_lanes(int i) const { return std::min(lanes, tile_.width - i); }

  /// keep u_old + (1 - keep) (u + dt L(u)), with the fluxes along z on the way. What the loop reads is copied
  /// before: its stores could change anything that lies in memory.
  void update(int k, int j) {
    const Sweep<Real> sweep = sweep_;
    const Rows rows = column(k, j);
    const Faces upper = upper_faces(k, j);
    const Real *below = scratch_.z_flux(k - 1, j), *west = scratch_.x_flux();
    const Real *south = scratch_.y_flux(j - 1), *north = scratch_.y_flux(j);
    const std::size_t start = place(k, j), word = layout_.variable_stride(), row_word = scratch_.row_word();
    const N background_density(slab_.background[k].density);
    const StepLength<Real> length = length_;
    for (int i = 0; i < tile_.width; i += lanes) {
      const int valid = valid_lanes(i);
      fluxes<2>(rows, upper, i);
      const State<N> u = Kept::has_state ? load_state(rows.cells[1] + i, rows.word)
                                         : load_partly(sweep.u + start + i, word, valid);
      const State<N> difference =
          column_difference<Scheme, N>(u.density, background_density, load_state(below + i, upper.word),
                                       load_state(upper.fluxes + i, upper.word), sweep.flow.gravity);
      const State<N> along_x = load_state(west + i, row_word) - load_state(west + i + 1, row_word);
      const State<N> along_y = load_state(south + i, row_word) - load_state(north + i, row_word);
      State<N> next = after_rows<N>(after_column<N>(u, difference, length), along_x, along_y, length,
                                    sweep.slab.spacing.y_over_x);
      if (sweep.stage.keep != 0)
        next = staged<N>(sweep.stage, load_partly(sweep.u_old + start + i, word, valid), next);
      store_partly(next, sweep.next + start + i, word, valid);
    }
  }

  TAYRA_HD State<N> load_partly(const Real* from, std::size_t word, int valid) const {
    if (valid == lanes) return load_state(from, word);
    std::array<Real, field_variables * lanes> row;
    row.fill(Real(1));
    for (int v = 0; v < field_variables; ++v) std::copy_n(from + v * word, valid, row.data() + v * lanes);
    return load_state<Real>(row.data(), lanes);
  }

  TAYRA_HD void store_partly(const State<N>& state, Real* to, std::size_t word, int valid) const {
    if (valid == lanes) return store_state<Real>(state, to, word);
    std::array<Real, field_variables * lanes> row;
    store_state<Real>(state, row.data(), lanes);
    for (int v = 0; v < field_variables; ++v) std::copy_n(row.data() + v * lanes, valid, to + v * word);
  }

  /// The fastest signal of the new states, and whether they still are a gas.
  void inspect(int k, int j) {
    const Real* states = sweep_.next + place(k, j);
    for (int i = 0; i < tile_.width; i += lanes) {
      const int valid = valid_lanes(i);
      const State<N> next = load_partly(states + i, layout_.variable_stride(), valid);
      const Cell<N> cell = make_cell<N>(next, N(background(k)), sweep_.flow.gas);
      const auto counted = lane_numbers<Real>() < Real(valid);
      const auto good = next.density > Real(0) && cell.pressure + cell.background_pressure > Real(0);
      const N rate = select<N>(counted && good, signal_rate(cell, slab_.spacing.inverse), N(Real(0)));
      found_.signal_rate = std::max(found_.signal_rate, double(hmax(rate)));
      if (any_of(counted && !good)) note_bad_cell(counted && !good, k, j, i);
    }
  }

  void note_bad_cell(const typename N::mask_type& bad, int k, int j, int i) {
    const std::int64_t row = std::int64_t(slab_.first_plane + k) * layout_.ny + tile_.y + j;
    found_.bad_cell =
        std::min<std::int64_t>(found_.bad_cell, row * layout_.nx + tile_.x + i + find_first_set(bad));
  }

  const Sweep<Real>& sweep_;
  const Slab<Real>& slab_;
  const Layout& layout_;
  const Tile& tile_;
  Memory& scratch_;
  StepLength<Real> length_;
  Findings found_;
};

/// Tiles as tall as the cache allows, and enough of them along z to occupy every thread.
class Tiles {
 public:
  Tiles(const Layout& layout, const Planes& planes, std::size_t bytes_per_column_cell, int threads)
      : layout_(layout), planes_(planes) {
    width_ = std::min(layout.nx, widest_tile);
    const int tallest = std::max(1, int(tile_bytes / (bytes_per_column_cell * width_)));
    const int rows_wanted = (layout.ny + tallest - 1) / tallest;
    height_ = (layout.ny + rows_wanted - 1) / rows_wanted;
    columns_ = (layout.nx + width_ - 1) / width_;
    rows_ = (layout.ny + height_ - 1) / height_;
    const int chunks = std::max(1, 4 * threads / (columns_ * rows_));
    const int most = std::max(planes.low.count(), planes.high.count());
    depth_ = std::max(8, (most + chunks - 1) / chunks);
  }

  int count() const { return columns_ * rows_ * (chunks(planes_.low) + chunks(planes_.high)); }

  Tile operator[](int number) const {
    const int x = number % columns_ * width_;
    const int y = number / columns_ % rows_ * height_;
    const int chunk = number / (columns_ * rows_);
    const bool low = chunk < chunks(planes_.low);
    const PlaneRange& range = low ? planes_.low : planes_.high;
    const int k = range.begin + (low ? chunk : chunk - chunks(planes_.low)) * depth_;
    return {x,
            y,
            std::min(width_, layout_.nx - x),
            std::min(height_, layout_.ny - y),
            {k, std::min(k + depth_, range.end)}};
  }

 private:
  int chunks(const PlaneRange& range) const { return (range.count() + depth_ - 1) / depth_; }

  const Layout& layout_;
  const Planes& planes_;
  int width_, height_, columns_, rows_, depth_;
};

template <class Scheme, Positivity positivity, class Real>
void sweep_with(const Sweep<Real>& sweep) {
  using Tiled = TileSweep<Scheme, positivity, Real>;
  const Tiles tiles(sweep.slab.layout, sweep.planes, Tiled::Memory::words() * sizeof(Real),
                    omp_get_max_threads());
  Findings all;
#pragma omp parallel
  {
    thread_local typename Tiled::Memory scratch;
    Findings mine;
#pragma omp for schedule(dynamic, 1) nowait
    for (int t = 0; t < tiles.count(); ++t) mine.merge(Tiled(sweep, tiles[t], scratch).run());
#pragma omp critical
    all.merge(mine);
  }
  Clock& clock = *sweep.clock;
  merge(clock.found, {all.signal_rate, all.bad_cell, static_cast<unsigned long long>(all.limited_faces)});
}

template <class Real, std::size_t... I>
void sweep_by_number(const Sweep<Real>& sweep, int scheme, Positivity positivity, std::index_sequence<I...>) {
  ((int(I) == scheme &&
    (positivity == Positivity::on ? sweep_with<std::tuple_element_t<I, Schemes>, Positivity::on>(sweep)
                                  : sweep_with<std::tuple_element_t<I, Schemes>, Positivity::off>(sweep),
     true)),
   ...);
}

}  // namespace

template <class Real>
void sweep_on_cpu(const Sweep<Real>& sweep, int scheme, Positivity positivity) {
  sweep_by_number(sweep, scheme, positivity, std::make_index_sequence<scheme_count>());
}

template void sweep_on_cpu(const Sweep<float>&, int, Positivity);
template void sweep_on_cpu(const Sweep<double>&, int, Positivity);

}  // namespace tayra
