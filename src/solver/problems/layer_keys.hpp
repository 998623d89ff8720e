// The keys that describe two layers, and the layers they describe.
#pragma once

#include <vector>

#include "core/parameters.hpp"
#include "solver/problem.hpp"
#include "solver/problems/two_layers.hpp"

namespace tayra {

/// atwood, density, pressure, interface, thickness, profile.
std::vector<Parameter> layer_keys();

/// Where they are unset: the interface in the middle, and a pressure at it such that waves no longer than
/// `wavelength` and layers weigh little.
void derive_layers(Parameters& keys, const ProblemSetting& setting, double wavelength);
/// The default of runs whose files don't hold their pressure.
double pressure_of_older_runs(const ProblemSetting& setting, double density);

/// Heavy on the side that gravity points away from; a negative Atwood number turns them round.
TwoLayers read_layers(const Parameters& keys, const ProblemSetting& setting);

/// From what each fluid is at its wall; nothing where a fluid's range of potential densities reaches the
/// other's, so that they can't be told apart.
std::optional<Layers> diagnosed_layers(const TwoLayers& layers, const ProblemSetting& setting);

/// +1 where up is along z, -1 where gravity points along z.
inline double upward(double gravity) { return gravity > 0 ? -1 : 1; }

}  // namespace tayra
