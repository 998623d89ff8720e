// One Runge-Kutta stage over some planes of one slab: what a sweep is told, the same for every device.
#pragma once

#include "grid/boundary.hpp"
#include "grid/grid.hpp"
#include "grid/layout.hpp"
#include "halo/awaited_ghosts.hpp"
#include "physics/face_flux.hpp"
#include "physics/gas.hpp"
#include "physics/gravity.hpp"
#include "solver/clock.hpp"

namespace tayra {

/// Of a step.
inline constexpr int stages = 3;

/// next = keep * u_old + (1 - keep) * (u + dt L(u))
struct Stage {
  double keep;
  bool last;  // also finds the signal rate and the first cell that is not a gas
};

/// A stage in the flow's own precision.
template <class Real>
struct RoundedStage {
  Real keep;
  bool last;
  RoundedStage(const Stage& stage) : keep(Real(stage.keep)), last(stage.last) {}
};

/// What lies beyond a slab's lowest or highest plane.
enum class Beyond { neighbour, periodic, mirror, outflow };

constexpr Beyond beyond_end(Boundary boundary) {
  return boundary == Boundary::periodic ? Beyond::periodic
         : boundary == Boundary::mirror ? Beyond::mirror
                                        : Beyond::outflow;
}

/// Where a slab's rows lie in the box, and what lies beyond them.
struct RowsInBox {
  int first, of_box;
  Beyond below, above;

  static constexpr RowsInBox all(int rows, Boundary boundary) {
    return {0, rows, beyond_end(boundary), beyond_end(boundary)};
  }
};

template <class Real>
struct PlaneBackground {
  Real density;
  Real pressure;
};

template <class Real>
struct Spacing {
  Vector<Real> inverse;
  Real y_over_x;         // exactly 1 where cells are square
  Vector<Real> crossed;  // by signals: the inverse, or zero along an axis of one cell
};

template <class Real>
Spacing<Real> spacing_of(const Grid& grid) {
  const auto inverse = [&](int axis) { return Real(1 / grid.spacing(axis)); };
  const auto crossed = [&](int axis) { return Real(grid.inverse_spacing(axis)); };
  return {{{inverse(0), inverse(1), inverse(2)}},
          Real(grid.spacing(1) / grid.spacing(0)),
          {{crossed(0), crossed(1), crossed(2)}}};
}

template <class Real>
struct Slab {
  Layout layout;
  int first_plane;  // in the box
  Beyond below;
  Beyond above;
  Boundary x;
  RowsInBox y;
  Spacing<Real> spacing;
  const PlaneBackground<Real>* background;  // of plane 0; ghosts at -2, -1, nz, nz + 1
};

template <class Real>
struct FlowConstants {
  Gas<Real> gas;
  ColumnGravity<Real> gravity;
};

struct PlaneRange {
  int begin;
  int end;
  TAYRA_HD int count() const { return end > begin ? end - begin : 0; }
};

/// Up to two ranges of planes: a slab's boundary is the two planes at either end.
struct Planes {
  PlaneRange low;
  PlaneRange high;
};

TAYRA_HD Planes all_planes(int nz) { return {{0, nz}, {nz, nz}}; }
TAYRA_HD Planes boundary_planes(int nz) {
  return {{0, ghost_planes}, {nz - ghost_planes > ghost_planes ? nz - ghost_planes : ghost_planes, nz}};
}
TAYRA_HD Planes interior_planes(int nz) { return {{ghost_planes, nz - ghost_planes}, {nz, nz}}; }

/// Where neighbours keep their copies of a slab's edge, two planes each, when the sweep itself is to store
/// them there; null when somebody else carries them.
template <class Real>
struct EdgeCopies {
  Real* lower = nullptr;  // of planes 0 and 1
  Real* upper = nullptr;  // of planes nz - 2 and nz - 1

  TAYRA_HD bool has_lower_of(int k) const { return lower != nullptr && k < ghost_planes; }
  TAYRA_HD bool has_upper_of(int k, int nz) const { return upper != nullptr && k >= nz - ghost_planes; }
  TAYRA_HD bool has_any_of(int k, int nz) const { return has_lower_of(k) || has_upper_of(k, nz); }
};

/// When work was under way, in nanoseconds of the device's own clock.
struct Interval {
  unsigned long long begin = ~0ull;
  unsigned long long end = 0;
};

/// A mask of bits, one a cell, for so much of a row: the columns of a tile on a GPU, one tile after the
/// other.
inline constexpr int cells_a_mask = 32;
TAYRA_HD std::size_t place_of_bits(const Layout& layout, int tile_column, int y, int k) {
  return (static_cast<std::size_t>(tile_column) * layout.nz + k) * layout.ny + y;
}
TAYRA_HD std::size_t mask_count(const Layout& layout) {
  return place_of_bits(layout, (layout.nx + cells_a_mask - 1) / cells_a_mask, 0, 0);
}

/// A slab's boundary and interior are swept side by side, the boundary first where there is a choice.
enum class SlabPart { boundary, interior };

/// Where the masks of a part's sweeps begin. Both parts are swept at once. Of whole planes they are other
/// planes, whose masks lie apart. Sweeps of cut rows number theirs each for itself: so the interior's lie
/// behind all of the boundary's, whose sweeps follow each other.
inline std::size_t first_mask(const Layout& slab, SlabPart part) {
  return slab.other_rows > 0 && part == SlabPart::interior ? mask_count(slab) : 0;
}
inline std::size_t masks_of_slab(const Layout& slab) {
  return first_mask(slab, SlabPart::interior) + mask_count(slab);
}

/// Where a sweep leaves what scalars are carried by: the mass that crosses each face, times the scheme's
/// multiple. [z][axis][y][x] through the cells' upper faces; then planes below the first of each range that
/// is swept by itself, and of each plane the lowest rows along x and y, these of each range of rows.
template <class Real>
class MassFluxes {
 public:
  MassFluxes() = default;
  /// Of a slab, whose rows from one on are swept.
  MassFluxes(Real* start, const Layout& slab, int rows_below = 0)
      : start_(start),
        nx_(slab.nx),
        ny_(slab.ny),
        nz_(slab.nz),
        rows_below_(rows_below),
        range_of_rows_(rows_below == 0            ? 0
                       : rows_below < slab.ny / 2 ? 1
                                                  : 2) {}
  static std::size_t size(const Layout& slab) {
    const std::size_t planes = slab.nz, ranges_of_rows = slab.other_rows > 0 ? 3 : 1;
    return (3 * planes + beginnings) * slab.cells_of_plane() + planes * (slab.ny + ranges_of_rows * slab.nx);
  }

  TAYRA_HD bool are_wanted() const { return start_ != nullptr; }
  /// From one axis to the next.
  TAYRA_HD std::size_t apart() const { return static_cast<std::size_t>(nx_) * ny_; }
  /// Through the upper faces of plane k.
  TAYRA_HD Real* upper(int axis, int k) const {
    return start_ + (3 * static_cast<std::size_t>(k) + axis) * apart() + first_cell();
  }
  /// Through the faces below plane k, with which a range begins.
  TAYRA_HD Real* below(int k) const {
    return upper(0, nz_) + (k == 0 ? 0 : k == ghost_planes ? 1 : 2) * apart();
  }
  /// Through the lowest faces along an axis in plane k, by y or x.
  TAYRA_HD Real* first(int axis, int k) const {
    Real* along_x = start_ + (3 * static_cast<std::size_t>(nz_) + beginnings) * apart();
    if (axis == 0) return along_x + static_cast<std::size_t>(k) * ny_ + rows_below_;
    return along_x + static_cast<std::size_t>(nz_) * ny_ +
           (static_cast<std::size_t>(range_of_rows_) * nz_ + k) * nx_;
  }

 private:
  static constexpr int beginnings = 3;  // of the whole or lower boundary, the interior, the upper boundary
  TAYRA_HD std::size_t first_cell() const { return static_cast<std::size_t>(rows_below_) * nx_; }

  Real* start_ = nullptr;
  int nx_ = 0, ny_ = 0, nz_ = 0, rows_below_ = 0, range_of_rows_ = 0;
};

/// u may have ghosts in memory; u_old and next are touched only in the cells that are swept, so next may be
/// u_old.
template <class Real>
struct Sweep {
  Slab<Real> slab;
  FlowConstants<Real> flow;
  RoundedStage<Real> stage;
  const Real* u_old;
  const Real* u;
  Real* next;
  StepClock* clock;
  Planes planes;
  EdgeCopies<Real> copies;
  AwaitedGhosts neighbours = {};          // that the sweep itself waits for
  Interval* busy = nullptr;               // in the device's memory
  unsigned long long* arrived = nullptr;  // when it had waited for those planes; there, too
  unsigned* deferred_bits = nullptr;      // a GPU's own, one a cell, all zero between sweeps, for the limiter
  MassFluxes<Real> mass = {};             // not wanted where nothing is carried

  TAYRA_HD bool begins_with(int k) const { return k == planes.low.begin || k == planes.high.begin; }
};

/// The state of a cell of plane z.
template <class Real>
TAYRA_HD State<Real> state_at(const Layout& layout, const Real* u, int z, std::size_t cell) {
  const Real* plane = u + layout.plane_start(z) + cell;
  const std::size_t stride = layout.variable_stride();
  return {plane[0], {{plane[stride], plane[2 * stride], plane[3 * stride]}}, plane[4 * stride]};
}

/// Where cell i of n along an axis, up to two beyond either end, is read from.
TAYRA_HD Source source_between(int i, int n, Beyond below, Beyond above) {
  if (i >= 0 && i < n) return {i, false};
  const Beyond beyond = i < 0 ? below : above;
  if (beyond == Beyond::neighbour) return {i, false};
  return ghost_source(i, n,
                      beyond == Beyond::periodic ? Boundary::periodic
                      : beyond == Beyond::mirror ? Boundary::mirror
                                                 : Boundary::outflow);
}
/// Plane k of the slab.
template <class Real>
TAYRA_HD Source plane_source(int k, const Slab<Real>& slab) {
  return source_between(k, slab.layout.nz, slab.below, slab.above);
}
/// Row y of any of its planes.
template <class Real>
TAYRA_HD Source row_source(int y, const Slab<Real>& slab) {
  return source_between(y, slab.layout.ny, slab.y.below, slab.y.above);
}
/// The number in the box of the cell that lies so far into each variable of plane k.
template <class Real>
TAYRA_HD long long number_in_box(const Slab<Real>& slab, int k, long long offset) {
  return ((static_cast<long long>(slab.first_plane) + k) * slab.y.of_box + slab.y.first) * slab.layout.nx +
         offset;
}
/// The same in its plane of the box.
template <class Real>
TAYRA_HD std::size_t number_in_plane(const Slab<Real>& slab, std::size_t offset) {
  return static_cast<std::size_t>(slab.y.first) * slab.layout.nx + offset;
}

/// What a difference of fluxes, times a scheme's multiple, counts in a step.
template <class Real>
struct StepLength {
  Real column;  // along z
  Real row;     // along y
};
template <class Scheme, class Real>
TAYRA_HD StepLength<Real> step_length(double dt, const Spacing<Real>& spacing) {
  const Real of_fluxes = Real(dt / Scheme::flux_multiple);
  return {of_fluxes * spacing.inverse[2], of_fluxes * spacing.inverse[1]};
}

/// What the column alone decides: gravity and the z fluxes' difference.
template <class Scheme, class N>
TAYRA_HD State<N> column_difference(N density, N background_density, const State<N>& below,
                                    const State<N>& above, const ColumnGravity<RealOf<N>>& gravity) {
  return with_gravity<Scheme::flux_multiple, N>(below - above, density, background_density, below.density,
                                                above.density, gravity);
}

template <class N>
TAYRA_HD State<N> after_column(const State<N>& u, const State<N>& difference,
                               const StepLength<RealOf<N>>& length) {
  return multiply_add(N(length.column), difference, u);
}

/// Both horizontal axes, by the differences of their fluxes. Of square cells the same, to the last bit, when
/// x and y trade places.
template <class N>
TAYRA_HD State<N> after_rows(const State<N>& u, const State<N>& along_x, const State<N>& along_y,
                             const StepLength<RealOf<N>>& length, RealOf<N> y_over_x) {
  return multiply_add(N(length.row), multiply_add(N(y_over_x), along_x, along_y), u);
}

/// keep u_old + (1 - keep) u, exactly u where both are equal: what doesn't move stays as it is, to the last
/// bit.
template <class N>
TAYRA_HD State<N> staged(const RoundedStage<RealOf<N>>& stage, const State<N>& u_old, const State<N>& u) {
  return multiply_add(N(stage.keep), u_old - u, u);
}

/// How a CPU writes the next states: where fields are larger than its caches nobody finds them there again,
/// and a line that is fetched only to be overwritten moves 5 words more. Past the caches only rows of whole
/// packs go that start at a multiple of a pack and don't replace the old states; others go through them.
enum class Writes { through_caches, past_caches };

/// Runs on the CPU at once.
template <class Real>
void sweep_on_cpu(const Sweep<Real>& sweep, int scheme, Positivity positivity,
                  Writes writes = Writes::through_caches);

}  // namespace tayra
