// What rt_single and rt_multi share: keys, layers, and how a perturbation is put on them.
#pragma once

#include <functional>
#include <vector>

#include "solver/problem.hpp"
#include "solver/problems/layer_keys.hpp"
#include "solver/problems/vertical_mode.hpp"

namespace tayra {

enum class Perturb { velocity, interface, eigenmode };

struct RayleighTaylor {
  TwoLayers layers;
  Perturb perturb;
  double amplitude;  // along z, positive where light fluid is to rise
  ProblemSetting setting;
};

/// The layers' keys with amplitude and perturb.
class RayleighTaylorKeys : public LayerKeys {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override;

 protected:
  RayleighTaylor start(const ProblemSetting& setting) const;

 private:
  double amplitude_ = 0.01;
  Perturb perturb_ = Perturb::interface;
};

/// `highest` is the largest |rise| (interface, eigenmode) of all: the interface must stay in the box, and an
/// eigenmode is a solution only while it is small beside the thickness.
void require_possible_rise(const RayleighTaylor& start, double highest);

/// Velocity: potential flow. Eigenmode: the fastest growing one. Throws where there is none.
std::function<VerticalMode(double)> vertical_mode(const RayleighTaylor& start, double wavenumber);

/// The layers at rest, the interface risen by `rise` with the pressure as it was.
Primitive layers_at_rest(const TwoLayers& layers, double z, double rise);

/// Of layers that are superadiabatic; others don't convect.
std::optional<Convection> convection_of(const RayleighTaylor& start, double wavenumber);

}  // namespace tayra
