// The keys that describe two layers, and the layers they describe.
#pragma once

#include <vector>

#include "core/parameters.hpp"
#include "solver/problem.hpp"
#include "solver/problems/two_layers.hpp"

namespace tayra {

/// atwood, density, pressure, interface, thickness.
std::vector<Parameter> layer_keys();

/// Heavy on the side that gravity points away from; a negative Atwood number turns them round.
TwoLayers read_layers(const Parameters& keys, const ProblemSetting& setting);

/// Of layers of constant density, from wall to wall, ghost cells included.
void require_positive_pressure(const TwoLayers& layers, const Grid& grid);

/// From what each fluid is at its wall; nothing where a fluid's range of potential densities reaches the
/// other's, so that they can't be told apart.
struct FluidsAtWalls {
  Background below, above;
};
std::optional<Layers> diagnosed_layers(const TwoLayers& at_interface, const FluidsAtWalls& at_walls,
                                       double gamma);
/// Of layers of constant density.
std::optional<Layers> diagnosed_layers(const TwoLayers& layers, const ProblemSetting& setting);

/// +1 where up is along z, -1 where gravity points along z.
inline double upward(double gravity) { return gravity > 0 ? -1 : 1; }

}  // namespace tayra
