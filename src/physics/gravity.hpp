// Gravity along z, balanced against the hydrostatic background and working through the mass flux.
#pragma once

#include "physics/state.hpp"

namespace tayra {

/// What gravity adds, in a cell of this height, to the difference of the fluxes through its z faces.
template <class Real>
struct ColumnGravity {
  Real pull;  // for each unit of density
  Real work;  // for each unit of both faces' mass flux

  ColumnGravity(double gravity, double height)
      : pull(Real(gravity * height)), work(Real(gravity * height / 2)) {}
};

/// The difference with gravity; fluxes and result are `multiple` times what they are. The background's weight
/// is left out as its pressure gradient is; the work is gravity times the mean mass flux through both z
/// faces, so that internal + kinetic + potential energy is conserved exactly.
template <int multiple, class N>
TAYRA_HD State<N> with_gravity(const State<N>& difference, N density, N background_density, N mass_flux_below,
                               N mass_flux_above, const ColumnGravity<RealOf<N>>& gravity) {
  State<N> sum = difference;
  sum.momentum[2] = multiply_add<N>(N(RealOf<N>(multiple) * gravity.pull), density - background_density,
                                    difference.momentum[2]);
  sum.energy = multiply_add<N>(N(gravity.work), mass_flux_below + mass_flux_above, difference.energy);
  return sum;
}

}  // namespace tayra
