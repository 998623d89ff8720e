// Gravity along z, balanced against the hydrostatic background and working through the mass flux.
#pragma once

#include "physics/state.hpp"

namespace tayra {

template <class N>
struct GravitySource {
  N momentum;  // along z
  N energy;
};

/// The source of one cell; its energy in the fluxes' units, whichever multiple of fluxes these are. The
/// background's weight is left out as its pressure gradient is; the work is
/// gravity times the mean mass flux through both z faces, so that internal + kinetic + potential energy is
/// conserved exactly.
template <class N>
TAYRA_HD GravitySource<N> gravity_source(N density, N background_density, N mass_flux_below,
                                         N mass_flux_above, RealOf<N> gravity) {
  return {gravity * (density - background_density),
          gravity * (RealOf<N>(0.5) * (mass_flux_below + mass_flux_above))};
}

}  // namespace tayra
