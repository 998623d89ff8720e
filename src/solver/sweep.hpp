// One Runge-Kutta stage over some planes of one slab: what a sweep is told, the same for every device.
#pragma once

#include "grid/boundary.hpp"
#include "grid/layout.hpp"
#include "physics/gas.hpp"
#include "physics/gravity.hpp"
#include "physics/schemes.hpp"
#include "solver/clock.hpp"

namespace tayra {

/// next = keep * u_old + (1 - keep) * (u + dt L(u))
struct Stage {
  double keep;
  bool last;  // also finds the signal rate and the first cell that is not a gas
};

/// What lies beyond a slab's lowest or highest plane.
enum class Beyond { neighbour, periodic, mirror, outflow };

template <class Real>
struct PlaneBackground {
  Real density;
  Real pressure;
};

template <class Real>
struct Slab {
  Layout layout;
  int first_plane;  // in the box
  Beyond below;
  Beyond above;
  Boundary x;
  Boundary y;
  Vector<Real> inverse_spacing;
  const PlaneBackground<Real>* background;  // of plane 0; ghosts at -2, -1, nz, nz + 1
};

template <class Real>
struct FlowConstants {
  Gas<Real> gas;
  Real gravity;
};

struct PlaneRange {
  int begin;
  int end;
  TAYRA_HD int count() const { return end > begin ? end - begin : 0; }
};

/// Up to two ranges of planes: a slab's rim is the two planes at either end.
struct Planes {
  PlaneRange low;
  PlaneRange high;
};

TAYRA_HD Planes all_planes(int nz) { return {{0, nz}, {nz, nz}}; }
TAYRA_HD Planes rim_planes(int nz) {
  return {{0, ghost_planes}, {nz - ghost_planes > ghost_planes ? nz - ghost_planes : ghost_planes, nz}};
}
TAYRA_HD Planes core_planes(int nz) { return {{ghost_planes, nz - ghost_planes}, {nz, nz}}; }

/// Where neighbours keep their copies of a slab's edge, two planes each, when the sweep itself is to store
/// them there; null when somebody else carries them.
template <class Real>
struct EdgeCopies {
  Real* lower = nullptr;  // of planes 0 and 1
  Real* upper = nullptr;  // of planes nz - 2 and nz - 1
};

/// When work was under way, in nanoseconds of the device's own clock.
struct Interval {
  unsigned long long begin = ~0ull;
  unsigned long long end = 0;
};

/// u may have ghosts in memory; u_old and next are touched only in the cells that are swept, so next may be
/// u_old.
template <class Real>
struct Sweep {
  Slab<Real> slab;
  FlowConstants<Real> flow;
  Stage stage;
  const Real* u_old;
  const Real* u;
  Real* next;
  Clock* clock;
  Planes planes;
  EdgeCopies<Real> copies;
  Interval* busy = nullptr;  // in the device's memory
};

/// The state of a cell of plane z.
template <class Real>
TAYRA_HD State<Real> state_at(const Layout& layout, const Real* u, int z, std::size_t cell) {
  const Real* plane = u + layout.plane_start(z) + cell;
  const std::size_t word = layout.variable_stride();
  return {plane[0], {{plane[word], plane[2 * word], plane[3 * word]}}, plane[4 * word]};
}

/// Where plane k of the slab, up to two beyond either end, is read from.
template <class Real>
TAYRA_HD Source plane_source(int k, const Slab<Real>& slab) {
  const int nz = slab.layout.nz;
  if (k >= 0 && k < nz) return {k, false};
  const Beyond beyond = k < 0 ? slab.below : slab.above;
  if (beyond == Beyond::neighbour) return {k, false};
  return ghost_source(k, nz,
                      beyond == Beyond::periodic ? Boundary::periodic
                      : beyond == Beyond::mirror ? Boundary::mirror
                                                 : Boundary::outflow);
}

/// dt, and what a scheme's multiple of a flux is multiplied with for it.
template <class Real>
struct StepLength {
  Real dt;
  Real of_fluxes;
};
template <class Scheme, class Real>
TAYRA_HD StepLength<Real> step_length(double dt) {
  return {Real(dt), Real(dt / Scheme::flux_multiple)};
}

/// dt times what the column alone decides: gravity and the z fluxes' difference.
template <class N>
TAYRA_HD State<N> column_change(N density, N background_density, const State<N>& below, const State<N>& above,
                                const FlowConstants<RealOf<N>>& flow, const StepLength<RealOf<N>>& length,
                                RealOf<N> inverse_spacing) {
  const GravitySource<N> source =
      gravity_source<N>(density, background_density, below.density, above.density, flow.gravity);
  State<N> change = (length.of_fluxes * inverse_spacing) * (below - above);
  change.momentum[2] = multiply_add<N>(N(length.dt), source.momentum, change.momentum[2]);
  change.energy = multiply_add<N>(N(length.of_fluxes), source.energy, change.energy);
  return change;
}

/// The same for both horizontal axes; unchanged, to the last bit, when x and y trade places.
template <class N>
TAYRA_HD State<N> row_change(const State<N>& west, const State<N>& east, const State<N>& south,
                             const State<N>& north, const StepLength<RealOf<N>>& length,
                             const Vector<RealOf<N>>& inverse_spacing) {
  return (length.of_fluxes * inverse_spacing[0]) * (west - east) +
         (length.of_fluxes * inverse_spacing[1]) * (south - north);
}

/// keep u_old + (1 - keep) u, exactly u where both are equal: what doesn't move stays as it is, to the last
/// bit.
template <class N>
TAYRA_HD State<N> staged(const Stage& stage, const State<N>& u_old, const State<N>& u) {
  return multiply_add(N(RealOf<N>(stage.keep)), u_old - u, u);
}

/// Runs on the CPU at once.
template <class Real>
void sweep_on_cpu(const Sweep<Real>& sweep, int scheme, Positivity positivity);

}  // namespace tayra
