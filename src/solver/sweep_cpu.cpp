// The stage sweep on a CPU: tiles of x-y march up z, rows are SIMD packs, every face flux is computed once a
// tile. A tile keeps four planes of cells and two of z fluxes in the second-level cache; per cell and stage
// it moves the 10 (first stage) or 15 words that the design counts, plus 4 rows of every tile edge again.
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

/// Memory of one thread's tile: cells with a margin of two in x and y, and face fluxes.
template <class Real, int cell_words>
class Scratch {
 public:
  static constexpr int lanes = Pack<Real>::size();

  static int row_stride(int width) { return (width + 2 * margin + lanes - 1) / lanes * lanes + lanes; }
  /// For every cell of a tile.
  static constexpr int words() { return ring_planes * cell_words + 2 * field_variables; }

  void fit(const Tile& tile) {
    stride_ = row_stride(tile.width);
    cell_plane_ = std::size_t(stride_) * (tile.height + 2 * margin);
    flux_plane_ = std::size_t(stride_) * tile.height;
    const std::size_t size = ring_planes * cell_words * cell_plane_ + 2 * field_variables * flux_plane_ +
                             3 * field_variables * stride_;
    if (memory_.size() < size) memory_.resize(size);
    z_fluxes_ = memory_.data() + ring_planes * cell_words * cell_plane_;
    rows_ = z_fluxes_ + 2 * field_variables * flux_plane_;
  }

  int stride() const { return stride_; }
  std::size_t cell_word() const { return cell_plane_; }
  std::size_t z_flux_word() const { return flux_plane_; }
  /// Words of the cell at column 0, row j of plane k.
  Real* cells(int k, int j) {
    return memory_.data() + ((k + ring_planes) % ring_planes) * cell_words * cell_plane_ +
           std::size_t(j + margin) * stride_ + margin;
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
  std::vector<Real> memory_;
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
        dt_(Real(sweep.clock->dt)) {
    scratch_.fit(tile);
  }

  Findings run() {
    const auto [begin, end] = tile_.planes;
    for (int k = begin - 2; k <= begin + 1; ++k) make_cells(k);
    for (int j = 0; j < tile_.height; ++j) z_fluxes(begin - 1, j);
    found_.limited_faces = 0;  // a face is counted by the cell below it
    for (int k = begin; k < end; ++k) {
      make_cells(k + 2);
      sweep_plane(k);
    }
    return found_;
  }

 private:
  /// A pack of cells that reaches beyond the box, or beyond what any stencil needs: ghosts come from where
  /// the boundary says, and lanes further out repeat the last ghost so that they compute something harmless.
  State<N> states_at_edge(const Real* row, int x) const {
    const std::size_t word = layout_.variable_stride();
    std::array<Real, field_variables * lanes> states;
    for (int lane = 0; lane < lanes; ++lane) {
      const Source source = ghost_source(std::min(x + lane, layout_.nx + 1), layout_.nx, slab_.x);
      for (int v = 0; v < field_variables; ++v)
        states[v * lanes + lane] =
            source.flipped && v == 1 ? -row[v * word + source.index] : row[v * word + source.index];
    }
    return load_state<Real>(states.data(), lanes);
  }

  void make_cells(int k) {
    const Source plane = plane_source(k, slab_);
    const Real* from = sweep_.u + layout_.plane_start(plane.index);
    const N background_pressure(background(k));
    const std::size_t word = scratch_.cell_word();
    for (int j = -margin; j < tile_.height + margin; ++j) {
      const Source source = ghost_source(std::min(tile_.y + j, layout_.ny + 1), layout_.ny, slab_.y);
      const Real* row = from + std::size_t(source.index) * layout_.nx;
      Real* out = scratch_.cells(k, j) - margin;
      for (int i = 0; i < scratch_.stride(); i += lanes) {
        const int x = tile_.x - margin + i;
        const bool inner = x >= 0 && x + lanes <= layout_.nx;
        State<N> state = inner ? load_state(row + x, layout_.variable_stride()) : states_at_edge(row, x);
        if (source.flipped) state.momentum[1] = -state.momentum[1];
        if (plane.flipped) state.momentum[2] = -state.momentum[2];
        const Cell<N> cell = make_cell<N>(state, background_pressure, sweep_.flow.gas);
        Kept::store(cell, [&](int number, const N& pack) { store(pack, out + i + number * word); });
      }
    }
  }

  /// Fluxes through the faces between the second and third of four rows of cells, `count` of them.
  template <int axis>
  void row_fluxes(const std::array<const Real*, 4>& cells, const std::array<Real, 4>& background, int count,
                  int first_counted, Real* out, std::size_t out_word) {
    const std::size_t word = scratch_.cell_word();
    for (int i = 0; i < count; i += lanes) {
      const auto cell = [&](int n) {
        return Kept::template load<N>([&](int number) { return load(cells[n] + i + number * word); },
                                      N(background[n]), sweep_.flow.gas);
      };
      const Stencil<N> stencil{cell(0), cell(1), cell(2), cell(3)};
      const FaceFlux<N> face = face_flux<Scheme, positivity, axis>(stencil, sweep_.flow.gas);
      store_state<Real>(face.flux, out + i, out_word);
      if constexpr (positivity == Positivity::on)
        if (any_of(face.suspect)) count_touched(face.suspect, i, first_counted, count);
    }
  }

  void count_touched(const typename N::mask_type& touched, int i, int first, int end) {
    for (int lane = 0; lane < lanes; ++lane)
      if (touched[lane] && i + lane >= first && i + lane < end) ++found_.limited_faces;
  }

  Real background(int k) const { return slab_.background[k].pressure; }

  void x_fluxes(int k, int j) {
    const Real* row = scratch_.cells(k, j);
    const Real b = background(k);
    row_fluxes<0>({row - 2, row - 1, row, row + 1}, {b, b, b, b}, tile_.width + 1, 1, scratch_.x_flux(),
                  scratch_.stride());
  }

  void y_fluxes(int k, int j) {
    const Real b = background(k);
    row_fluxes<1>(
        {scratch_.cells(k, j - 1), scratch_.cells(k, j), scratch_.cells(k, j + 1), scratch_.cells(k, j + 2)},
        {b, b, b, b}, tile_.width, j < 0 ? tile_.width : 0, scratch_.y_flux(j), scratch_.stride());
  }

  void z_fluxes(int k, int j) {
    row_fluxes<2>(
        {scratch_.cells(k - 1, j), scratch_.cells(k, j), scratch_.cells(k + 1, j), scratch_.cells(k + 2, j)},
        {background(k - 1), background(k), background(k + 1), background(k + 2)}, tile_.width, 0,
        scratch_.z_flux(k, j), scratch_.z_flux_word());
  }

  void sweep_plane(int k) {
    y_fluxes(k, -1);
    for (int j = 0; j < tile_.height; ++j) {
      x_fluxes(k, j);
      y_fluxes(k, j);
      z_fluxes(k, j);
      for (int i = 0; i < tile_.width; i += lanes) update(k, j, i);
    }
  }

  /// u + dt L(u)
  State<N> new_state(int k, int j, int i, const State<N>& u) const {
    const std::size_t stride = scratch_.stride();
    const State<N> below = load_state(scratch_.z_flux(k - 1, j) + i, scratch_.z_flux_word());
    const State<N> above = load_state(scratch_.z_flux(k, j) + i, scratch_.z_flux_word());
    const State<N> column = u + column_change<N>(u.density, N(slab_.background[k].density), below, above,
                                                 sweep_.flow, dt_, slab_.inverse_spacing[2]);
    return column + row_change<N>(load_state(scratch_.x_flux() + i, stride),
                                  load_state(scratch_.x_flux() + i + 1, stride),
                                  load_state(scratch_.y_flux(j - 1) + i, stride),
                                  load_state(scratch_.y_flux(j) + i, stride), dt_, slab_.inverse_spacing);
  }

  void update(int k, int j, int i) {
    const std::size_t word = layout_.variable_stride();
    const std::size_t at = layout_.plane_start(k) + std::size_t(tile_.y + j) * layout_.nx + tile_.x + i;
    const int valid = std::min(lanes, tile_.width - i);
    const State<N> u = Kept::has_state ? load_state<Real>(scratch_.cells(k, j) + i, scratch_.cell_word())
                                       : load_partly(sweep_.u + at, word, valid);
    State<N> next = new_state(k, j, i, u);
    if (sweep_.stage.keep != 0)
      next = staged<N>(sweep_.stage, load_partly(sweep_.u_old + at, word, valid), next);
    store_partly(next, sweep_.next + at, word, valid);
    if (sweep_.stage.last) inspect(next, k, j, i, valid);
  }

  State<N> load_partly(const Real* from, std::size_t word, int valid) const {
    if (valid == lanes) return load_state(from, word);
    std::array<Real, field_variables * lanes> row;
    row.fill(Real(1));
    for (int v = 0; v < field_variables; ++v) std::copy_n(from + v * word, valid, row.data() + v * lanes);
    return load_state<Real>(row.data(), lanes);
  }

  void store_partly(const State<N>& state, Real* to, std::size_t word, int valid) const {
    if (valid == lanes) return store_state<Real>(state, to, word);
    std::array<Real, field_variables * lanes> row;
    store_state<Real>(state, row.data(), lanes);
    for (int v = 0; v < field_variables; ++v) std::copy_n(row.data() + v * lanes, valid, to + v * word);
  }

  /// The fastest signal of the new state, and whether it still is a gas.
  void inspect(const State<N>& next, int k, int j, int i, int valid) {
    const Cell<N> cell = make_cell<N>(next, N(background(k)), sweep_.flow.gas);
    const auto counted = lane_numbers<Real>() < Real(valid);
    const auto good = next.density > Real(0) && cell.pressure + cell.background_pressure > Real(0);
    const N rate = select<N>(counted && good, signal_rate(cell, slab_.inverse_spacing), N(Real(0)));
    found_.signal_rate = std::max(found_.signal_rate, double(hmax(rate)));
    if (any_of(counted && !good)) note_bad_cell(counted && !good, k, j, i);
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
  Real dt_;
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
