// The stage sweep on a CPU: tiles of x-y stream up z, rows are SIMD packs, every face flux is computed once a
// tile. A tile keeps four planes of cells and one of z fluxes in the second-level cache; per cell and stage
// it moves the 10 (first stage) or 15 words that the design counts, plus 4 rows of every tile edge again.
// A row is done in short loops, one after the other, whose packs the processor overlaps, and in strips whose
// rows stay in the first-level cache. What comes from memory is asked for long before.
#pragma once

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/simd.hpp"
#include "physics/smooth.hpp"
#include "solver/sweep.hpp"
#include "solver/sweep_cell.hpp"
#include "solver/tiles_cpu.hpp"

namespace tayra::cpu {

template <class Real>
inline constexpr int widest_strip = widest_tile<Real> / 2;

/// Of a tile.
struct Columns {
  int begin, end;
};

template <class Real>
TAYRA_HD State<Pack<Real>> load_state(const Real* from, std::size_t stride) {
  return {load(from),
          {{load(from + stride), load(from + 2 * stride), load(from + 3 * stride)}},
          load(from + 4 * stride)};
}

template <class Real>
TAYRA_HD State<Pack<Real>> states_from_next_lane(const State<Pack<Real>>& a, const State<Pack<Real>>& b) {
  const auto shifted = [&](int i) { return from_next_lane(a.momentum[i], b.momentum[i]); };
  return {from_next_lane(a.density, b.density),
          {{shifted(0), shifted(1), shifted(2)}},
          from_next_lane(a.energy, b.energy)};
}

template <class Real>
TAYRA_HD void store_state(const State<Pack<Real>>& state, Real* to, std::size_t stride) {
  store(state.density, to);
  for (int i = 0; i < 3; ++i) store(state.momentum[i], to + (1 + i) * stride);
  store(state.energy, to + 4 * stride);
}

/// To an address that is a multiple of a pack's size.
template <class Real>
TAYRA_HD void stream_state(const State<Pack<Real>>& state, Real* to, std::size_t stride) {
  stream(state.density, to);
  for (int i = 0; i < 3; ++i) stream(state.momentum[i], to + (1 + i) * stride);
  stream(state.energy, to + 4 * stride);
}

enum class Wanted { soon, next_plane };
/// Asks for the states of a pack that will be read: for the first-level cache, or the second.
template <Wanted wanted, class Real>
TAYRA_HD void prefetch_states(const Real* from, std::size_t stride) {
  for (int v = 0; v < field_variables; ++v)
    __builtin_prefetch(from + v * stride, 0, wanted == Wanted::soon ? 3 : 2);
}

/// Whether what is written can go past the caches.
template <class Real>
bool has_whole_packs(const Sweep<Real>& sweep) {
  constexpr std::size_t lanes = Pack<Real>::size();
  return sweep.slab.layout.nx % lanes == 0 &&
         reinterpret_cast<std::uintptr_t>(sweep.next) % (lanes * sizeof(Real)) == 0;
}

template <class Real>
Pack<Real> lane_numbers() {
  return Pack<Real>([](auto lane) { return Real(int(lane)); });
}

/// What the lanes have seen, together.
template <class Real>
CellsSeen<Real> of_all_lanes(const CellsSeen<Pack<Real>>& seen) {
  return {hmin(seen.least_density), hmax(seen.most_density), hmin(seen.least_pressure),
          hmax(seen.most_pressure), any_of(seen.too_fast)};
}

/// Whether faces are checked for the positivity limiter.
enum class Checked { no, yes };
/// Whether the mass through x faces is kept, of which else the differences alone are.
enum class MassOf { differences, faces };

/// A loop over a row's packs has all registers for itself.
#define TAYRA_ROW_LOOP __attribute__((noinline))

template <class Scheme, Positivity positivity, class Real>
class TileSweep {
 public:
  using N = Pack<Real>;
  using Kept = KeptCell<Scheme, positivity>;
  using Memory = Scratch<Real, Kept::words>;
  static constexpr int lanes = N::size();
  static constexpr int ring_planes = Memory::ring_planes, apron = Memory::apron;
  static constexpr std::size_t word_stride = Memory::word_stride;

  TileSweep(const Sweep<Real>& sweep, const CpuTile& tile, Writes writes, Memory& scratch)
      : sweep_(sweep),
        slab_(sweep.slab),
        layout_(sweep.slab.layout),
        tile_(tile),
        past_caches_(writes == Writes::past_caches && sweep.next != sweep.u_old && has_whole_packs(sweep)),
        scratch_(scratch),
        length_(step_length<Scheme, Real>(sweep.clock->dt, sweep.slab.spacing)) {
    scratch_.fit(tile);
    find_edges();
    if (!has_y_faces()) clear_y_fluxes();
  }

  SlabReport run() {
    const auto [begin, end] = tile_.planes;
    for (int k = begin - 2; k <= begin + 1; ++k) make_plane(k);
    constexpr Checked checked = positivity == Positivity::on ? Checked::yes : Checked::no;
    for (int j = 0; j < tile_.height; ++j) {
      first_z_fluxes<checked>(begin - 1, j);
      if (sweep_.mass.are_wanted() && sweep_.begins_with(begin))
        copy_row(scratch_.z_flux(j), row_in_box(sweep_.mass.below(begin), j), {0, tile_.width});
    }
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
    std::array<Real, 4> background;
  };

  /// The faces of a row that count where the limiter acts.
  using Counted = Columns;

  /// Where a pack that reaches beyond the box reads its cells in a row.
  struct Edge {
    std::array<int, lanes> cells;
    N sign;         // of the momentum along x
    bool in_a_row;  // as the pack wants them: one load
  };

  /// An axis of one cell has none: what would flow in through one would flow out through the other.
  bool has_x_faces() const { return layout_.nx > 1; }
  bool has_y_faces() const { return layout_.ny > 1; }
  void clear_y_fluxes() {
    for (int j = -1; j <= 0; ++j) std::fill_n(scratch_.y_flux(j), field_variables * word_stride, Real(0));
  }

  /// The first pack of a row reaches beyond the box, and at most two of the last. Cells come from where the
  /// boundary says, those beyond the ghosts, too: they compute something harmless.
  void find_edges() {
    const int last = (tile_.width + apron - 1) / lanes * lanes;
    const int farthest = std::min(lanes, layout_.nx);  // beyond the box
    const std::array<int, 3> columns{-lanes, last - lanes, last};
    for (int e = 0; e < 3; ++e) {
      Edge& edge = edges_[e];
      std::array<Real, lanes> sign;
      edge.in_a_row = true;
      for (int lane = 0; lane < lanes; ++lane) {
        const int x = std::clamp(tile_.x + columns[e] + lane, -farthest, layout_.nx - 1 + farthest);
        const Source source = ghost_source(x, layout_.nx, slab_.x);
        edge.cells[lane] = source.index;
        sign[lane] = Real(source.flipped ? -1 : 1);
        if (source.index != edge.cells[0] + lane || source.flipped) edge.in_a_row = false;
      }
      edge.sign = load(sign.data());
    }
  }
  const Edge& edge_at(int i) const { return edges_[i < 0 ? 0 : i + lanes < tile_.width + apron ? 1 : 2]; }

  TAYRA_HD State<N> states_at_edge(const Real* row, const Edge& edge) const {
    if (edge.in_a_row) return load_state(row + edge.cells[0], layout_.variable_stride());
    const auto read = [&](int variable) {
      const Real* from = row + variable * layout_.variable_stride();
      return N([&](auto lane) { return from[edge.cells[lane]]; });
    };
    return {read(0), {{edge.sign * read(1), read(2), read(3)}}, read(4)};
  }

  FieldRow field_row(int k, int j) const {
    const auto plane = plane_source(k, slab_);
    const auto row = row_source(std::min(tile_.y + j, layout_.ny + 1), slab_);
    return {sweep_.u + layout_.plane_start(plane.index) + std::ptrdiff_t(row.index) * layout_.nx, row.flipped,
            plane.flipped, background(k)};
  }

  TAYRA_HD Cell<N> cell_of(const FieldRow& row, int i) const {
    const int x = tile_.x + i;
    const bool inner = x >= 0 && x + lanes <= layout_.nx;
    State<N> state = inner ? load_state(row.states + x, layout_.variable_stride())
                           : states_at_edge(row.states, edge_at(i));
    if (row.flipped_y) state.momentum[1] = -state.momentum[1];
    if (row.flipped_z) state.momentum[2] = -state.momentum[2];
    return make_cell<N>(state, N(row.pressure), sweep_.flow.gas);
  }

  TAYRA_ROW_LOOP void make_cells(int k, int j) {
    const FieldRow from = field_row(k, j);
    Real* to = scratch_.cells(k, j);
    CellsSeen<N> seen;
    const Real inverse_background = from.pressure > 0 ? 1 / from.pressure : Real(1);
    for (int i = -lanes; i < tile_.width + apron; i += lanes) {
      prefetch_states<Wanted::soon>(from.states + layout_.nx + tile_.x + i, layout_.variable_stride());
      const Cell<N> cell = cell_of(from, i);
      Kept::store(cell, [&](int number, const N& pack) { store(pack, to + i + number * word_stride); });
      if constexpr (positivity == Positivity::on) seen.include(cell, inverse_background);
    }
    if constexpr (positivity == Positivity::on) seen_in(k).include(seen);
  }
  void make_plane(int k) {
    seen_in(k) = {};
    const int beyond = has_y_faces() ? apron : 0;
    for (int j = -beyond; j < tile_.height + beyond; ++j) make_cells(k, j);
  }
  CellsSeen<N>& seen_in(int k) { return seen_[(k + ring_planes) % ring_planes]; }

  /// Whether no face of plane k wants the limiter, as the planes say over which their stencils reach.
  bool is_smooth(int k) {
    CellsSeen<N> seen;
    bool hardly_changes = true, has_background = false;
    for (int n = k - 1; n <= k + 2; ++n) {
      seen.include(seen_in(n));
      if (n < k + 2 && SmoothBounds<Real>::alarm(background(n), background(n + 1)) < 0)
        hardly_changes = false;
      if (background(n) > 0) has_background = true;
    }
    return hardly_changes && are_smooth(of_all_lanes<Real>(seen), has_background, sweep_.flow.gas);
  }

  TAYRA_HD Stencil<N> stencil(const Rows& rows, int i) const {
    const auto cell = [&](int n) {
      return Kept::template load<N>(
          [&](int number) { return load(rows.cells[n] + i + number * word_stride); }, N(rows.background[n]),
          sweep_.flow.gas);
    };
    return {cell(0), cell(1), cell(2), cell(3)};
  }

  /// Through a pack of faces between the second and the third of the rows. Where the limiter has to act all
  /// is computed once more: its code, and the registers that it wants, stay out of the loops.
  template <Checked checked, int axis>
  TAYRA_HD State<N> flux(const Rows& rows, Counted counted, int i) {
    if constexpr (checked == Checked::no) {
      return Scheme::template flux<axis>(stencil(rows, i), sweep_.flow.gas);
    } else {
      const FaceFlux<N> face = unlimited_flux<Scheme, positivity, axis>(stencil(rows, i), sweep_.flow.gas);
      return any_of(face.flagged) ? limited_flux<axis>(rows, counted, i) : face.flux;
    }
  }

  template <int axis>
  TAYRA_HD_RARE State<N> limited_flux(const Rows& rows, Counted counted, int i) {
    const FaceFlux<N> face = face_flux<Scheme, positivity, axis>(stencil(rows, i), sweep_.flow.gas);
    count_touched(face.flagged, i, counted);
    return face.flux;
  }

  void count_touched(const typename N::mask_type& touched, int i, Counted counted) {
    for (int lane = 0; lane < lanes; ++lane)
      if (touched[lane] && i + lane >= counted.begin && i + lane < counted.end) ++found_.limited_faces;
  }

  Real background(int k) const { return slab_.background[k].pressure; }

  /// What flows in through the lower x faces of a row's cells less what flows out through the upper ones.
  /// Asks for the next row of the old states meanwhile: few of this loop's own loads miss the first-level
  /// cache, and a core can have only so many misses under way.
  template <Checked checked, MassOf mass>
  TAYRA_ROW_LOOP void x_differences(int k, int j, Columns columns) {
    const Real* row = scratch_.cells(k, j);
    const Real b = background(k);
    const Rows rows{{row - 2, row - 1, row, row + 1}, {b, b, b, b}};
    const Counted counted{columns.begin + 1, columns.end + 1};
    const std::size_t field_stride = layout_.variable_stride();
    const Real* coming = sweep_.stage.keep != 0 ? sweep_.u_old + place(k, j + 1) : nullptr;
    Real *to = scratch_.x_difference(), *mass_to = scratch_.x_mass();
    State<N> lower = flux<checked, 0>(rows, counted, columns.begin);
    int i = columns.begin;
    if constexpr (mass == MassOf::faces) store(lower.density, mass_to + i);
    const auto store_difference = [&](const State<N>& next) {
      store_state<Real>(lower - states_from_next_lane<Real>(lower, next), to + i, word_stride);
    };
    for (; i + lanes <= columns.end; i += lanes) {
      if (coming != nullptr) prefetch_states<Wanted::soon>(coming + i, field_stride);
      const State<N> next = flux<checked, 0>(rows, counted, i + lanes);
      store_difference(next);
      lower = next;
      if constexpr (mass == MassOf::faces) store(lower.density, mass_to + i + lanes);
    }
    if (i < columns.end) {
      if (coming != nullptr) prefetch_states<Wanted::soon>(coming + i, field_stride);
      store_difference(lower);  // has the last face
    }
  }

  /// Asks for the plane of states that is read next meanwhile.
  template <Checked checked>
  TAYRA_ROW_LOOP void y_fluxes(int k, int j, Columns columns) {
    const auto row = [&](int n) { return scratch_.cells(k, j + n); };
    const Real b = background(k);
    const Rows rows{{row(-1), row(0), row(1), row(2)}, {b, b, b, b}};
    const Counted counted{j < 0 ? columns.end : columns.begin, columns.end};
    // Where it is no ghost; asking for too much does no harm.
    const Real* coming = j >= 0 ? sweep_.u + place(k + 3, j) : nullptr;
    const std::size_t field_stride = layout_.variable_stride();
    Real* to = scratch_.y_flux(j);
    for (int i = columns.begin; i < columns.end; i += lanes) {
      if (coming != nullptr) prefetch_states<Wanted::next_plane>(coming + i, field_stride);
      store_state<Real>(flux<checked, 1>(rows, counted, i), to + i, word_stride);
    }
  }

  Rows column(int k, int j) const {
    const auto plane = [&](int n) { return scratch_.cells(k + n, j); };
    return {{plane(-1), plane(0), plane(1), plane(2)},
            {background(k - 1), background(k), background(k + 1), background(k + 2)}};
  }

  /// None counts: a face is counted by the cell below it.
  template <Checked checked>
  void first_z_fluxes(int k, int j) {
    const Rows rows = column(k, j);
    const Counted none{0, 0};
    for (int i = 0; i < tile_.width; i += lanes)
      store_state<Real>(flux<checked, 2>(rows, none, i), scratch_.z_flux(j) + i, word_stride);
  }

  void sweep_plane(int k) {
    make_plane(k + 2);
    if constexpr (positivity == Positivity::on) {
      if (!is_smooth(k)) return sweep_strips<Checked::yes>(k);
    }
    sweep_strips<Checked::no>(k);
  }
  template <Checked checked>
  void sweep_strips(int k) {
    constexpr int strip = widest_strip<Real>;
    for (int i = 0; i < tile_.width; i += strip)
      sweep_strip<checked>(k, {i, std::min(i + strip, tile_.width)});
  }
  template <Checked checked>
  void sweep_strip(int k, Columns columns) {
    if (has_y_faces()) y_fluxes<checked>(k, -1, columns);
    for (int j = 0; j < tile_.height; ++j) {
      if (has_x_faces())
        sweep_.mass.are_wanted() ? x_differences<checked, MassOf::faces>(k, j, columns)
                                 : x_differences<checked, MassOf::differences>(k, j, columns);
      else
        store_state<Real>(State<N>{}, scratch_.x_difference(), word_stride);
      if (has_y_faces()) y_fluxes<checked>(k, j, columns);
      update<checked>(k, j, columns);
      if (sweep_.mass.are_wanted()) leave_mass(k, j, columns);
      if (sweep_.stage.last) inspect(k, j, columns);
    }
  }

  /// Through the upper faces of a row that has just been updated, and through the lowest along x and y.
  void leave_mass(int k, int j, Columns columns) const {
    const MassFluxes<Real>& mass = sweep_.mass;
    if (has_x_faces()) {
      copy_row(scratch_.x_mass() + 1, row_in_box(mass.upper(0, k), j), columns);
      if (tile_.x + columns.begin == 0) mass.first(0, k)[tile_.y + j] = scratch_.x_mass()[0];
    }
    if (has_y_faces()) {
      copy_row(scratch_.y_flux(j), row_in_box(mass.upper(1, k), j), columns);
      if (tile_.y + j == 0) copy_row(scratch_.y_flux(-1), mass.first(1, k) + tile_.x, columns);
    }
    copy_row(scratch_.z_flux(j), row_in_box(mass.upper(2, k), j), columns);
  }
  Real* row_in_box(Real* plane, int j) const {
    return plane + std::size_t(tile_.y + j) * layout_.nx + tile_.x;
  }
  static void copy_row(const Real* from, Real* to, Columns columns) {
    std::copy(from + columns.begin, from + columns.end, to + columns.begin);
  }

  /// Where row j of plane k starts in a field.
  std::size_t place(int k, int j) const {
    return layout_.plane_start(k) + std::size_t(tile_.y + j) * layout_.nx + tile_.x;
  }
  int valid_lanes(int i) const { return std::min(lanes, tile_.width - i); }

  /// keep u_old + (1 - keep) (u + dt L(u)), with the fluxes along z on the way. The last stage leaves it in
  /// place of the x differences, too. What the loop reads is copied before: its stores could change anything
  /// that lies in memory.
  template <Checked checked>
  TAYRA_ROW_LOOP void update(int k, int j, Columns columns) {
    const Sweep<Real> sweep = sweep_;
    const Rows rows = column(k, j);
    Real *z_flux = scratch_.z_flux(j), *x_difference = scratch_.x_difference();
    const Real *south = scratch_.y_flux(j - 1), *north = scratch_.y_flux(j);
    const std::size_t start = place(k, j), field_stride = layout_.variable_stride();
    const N background_density(slab_.background[k].density);
    const StepLength<Real> length = length_;
    const bool reads_old = sweep.stage.keep != 0, past_caches = past_caches_;
    for (int i = columns.begin; i < columns.end; i += lanes) {
      const int valid = valid_lanes(i);
      const State<N> below = load_state(z_flux + i, word_stride);
      const State<N> above = flux<checked, 2>(rows, columns, i);
      store_state(above, z_flux + i, word_stride);
      const State<N> u = Kept::has_state ? load_state(rows.cells[1] + i, word_stride)
                                         : load_partly(sweep.u + start + i, field_stride, valid);
      const State<N> difference =
          column_difference<Scheme, N>(u.density, background_density, below, above, sweep.flow.gravity);
      const State<N> along_x = load_state(x_difference + i, word_stride);
      const State<N> along_y = load_state(south + i, word_stride) - load_state(north + i, word_stride);
      State<N> next = after_rows<N>(after_column<N>(u, difference, length), along_x, along_y, length,
                                    sweep.slab.spacing.y_over_x);
      if (reads_old)
        next = staged<N>(sweep.stage, load_partly(sweep.u_old + start + i, field_stride, valid), next);
      if (past_caches)
        stream_state<Real>(next, sweep.next + start + i, field_stride);
      else
        store_partly(next, sweep.next + start + i, field_stride, valid);
      if (sweep.stage.last) store_state<Real>(next, x_difference + i, word_stride);
    }
  }

  TAYRA_HD State<N> load_partly(const Real* from, std::size_t field_stride, int valid) const {
    if (valid == lanes) return load_state(from, field_stride);
    std::array<Real, field_variables * lanes> row;
    row.fill(Real(1));
    for (int v = 0; v < field_variables; ++v)
      std::copy_n(from + v * field_stride, valid, row.data() + v * lanes);
    return load_state<Real>(row.data(), lanes);
  }

  TAYRA_HD void store_partly(const State<N>& state, Real* to, std::size_t field_stride, int valid) const {
    if (valid == lanes) return store_state<Real>(state, to, field_stride);
    std::array<Real, field_variables * lanes> row;
    store_state<Real>(state, row.data(), lanes);
    for (int v = 0; v < field_variables; ++v)
      std::copy_n(row.data() + v * lanes, valid, to + v * field_stride);
  }

  /// The fastest signal of the new states, and whether they still are a gas.
  TAYRA_ROW_LOOP void inspect(int k, int j, Columns columns) {
    const Real* states = scratch_.x_difference();
    for (int i = columns.begin; i < columns.end; i += lanes) {
      const int valid = valid_lanes(i);
      const State<N> next = load_state(states + i, word_stride);
      const Cell<N> cell = make_cell<N>(next, N(background(k)), sweep_.flow.gas);
      const auto counted = lane_numbers<Real>() < Real(valid);
      const auto good = next.density > Real(0) && cell.pressure + cell.background_pressure > Real(0);
      const N rate = select<N>(counted && good, signal_rate(cell, slab_.spacing.crossed), N(Real(0)));
      found_.signal_rate = std::max(found_.signal_rate, double(hmax(rate)));
      if (any_of(counted && !good)) note_bad_cell(counted && !good, k, j, i);
    }
  }

  void note_bad_cell(const typename N::mask_type& bad, int k, int j, int i) {
    const int offset = (tile_.y + j) * layout_.nx + tile_.x + i + find_first_set(bad);
    found_.bad_cell = std::min<std::int64_t>(found_.bad_cell, number_in_box(slab_, k, offset));
  }

  const Sweep<Real>& sweep_;
  const Slab<Real>& slab_;
  const Layout& layout_;
  const CpuTile& tile_;
  const bool past_caches_;
  Memory& scratch_;
  StepLength<Real> length_;
  std::array<Edge, 3> edges_;
  std::array<CellsSeen<N>, ring_planes> seen_;
  SlabReport found_;
};

template <class Scheme, Positivity positivity, class Real>
void sweep_with(const Sweep<Real>& sweep, Writes writes) {
  if (sweep.planes.low.count() + sweep.planes.high.count() == 0) return;
  using Tiled = TileSweep<Scheme, positivity, Real>;
  const Tiles tiles(sweep.slab.layout, sweep.planes, widest_tile<Real>, Tiled::Memory::bytes_of_row,
                    omp_get_max_threads());
  SlabReport all;
#pragma omp parallel num_threads(std::min(omp_get_max_threads(), tiles.count()))
  {
    thread_local typename Tiled::Memory scratch;
    SlabReport mine;
#pragma omp for schedule(dynamic, 1) nowait
    for (int t = 0; t < tiles.count(); ++t) merge(mine, Tiled(sweep, tiles[t], writes, scratch).run());
    finish_streams();
#pragma omp critical
    merge(all, mine);
  }
  merge(sweep.clock->found, all);
}

}  // namespace tayra::cpu
