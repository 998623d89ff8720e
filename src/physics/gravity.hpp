// Gravity along z, balanced against the hydrostatic background and working through the mass flux.
#pragma once

#include "physics/state.hpp"

namespace tayra {

/// What gravity adds, in a cell of this height, to the difference of the fluxes through its z faces.
template <class Real>
struct ColumnGravity {
  Real pull;   // at rest, for each unit of density
  Real share;  // of gravity as it is now in that at rest
  Real work;   // now, for each unit of both faces' mass flux

  ColumnGravity(double gravity, double height) : ColumnGravity(gravity, gravity, height) {}
  /// The background rests under the first. Where that is zero there must be no background.
  ColumnGravity(double at_rest, double now, double height)
      : pull(Real((at_rest != 0 ? at_rest : now) * height)),
        share(Real(at_rest != 0 ? now / at_rest : 1)),
        work(Real(now * height / 2)) {}
};

/// The difference with gravity; fluxes and result are `multiple` times what they are. The background's weight
/// is left out as its pressure gradient is; the work is gravity times the mean mass flux through both z
/// faces, so that internal + kinetic energy changes by exactly what gravity does.
template <int multiple, class N>
TAYRA_HD State<N> with_gravity(const State<N>& difference, N density, N background_density, N mass_flux_below,
                               N mass_flux_above, const ColumnGravity<RealOf<N>>& gravity) {
  State<N> sum = difference;
  // A share of 1 rounds as a subtraction does.
  const N unbalanced = multiply_add<N>(N(gravity.share), density, -background_density);
  sum.momentum[2] =
      multiply_add<N>(N(RealOf<N>(multiple) * gravity.pull), unbalanced, difference.momentum[2]);
  sum.energy = multiply_add<N>(N(gravity.work), mass_flux_below + mass_flux_above, difference.energy);
  return sum;
}

}  // namespace tayra
