// How a perturbation of two layers with one horizontal wavenumber varies with height: as potential flow, or
// as the fastest growing normal mode of a compressible, stratified, walled layer.
#pragma once

#include <vector>

#include "solver/problems/two_layers.hpp"

namespace tayra {

/// Amplitudes at one height. Over a horizontal pattern C(x, y) with lap C = -k^2 C the perturbation is C
/// times density, w and pressure, and -grad C / k times the horizontal velocity.
struct VerticalMode {
  double density = 0;
  double horizontal = 0;
  double w = 0;
  double pressure = 0;
  double rise = 0;  // of the gas from where it rested
};

/// Irrotational incompressible flow in each of two layers between walls, w = 1 at the interface: the first
/// moments of a Rayleigh-Taylor wave at a sharp interface.
struct PotentialFlow {
  double wavenumber;
  double lower;
  double interface_height;
  double upper;

  VerticalMode at(double z) const;
};

struct LinearProblem {
  TwoLayers layers;  // thickness > 0
  double gamma = 5. / 3;
  double lower = 0;  // walls
  double upper = 1;
  double wavenumber = 0;
};

/// A perturbation that grows as exp(growth_rate * t); the interface's rise is 1 at the start.
class LinearMode {
 public:
  double growth_rate() const { return growth_rate_; }
  VerticalMode at(double z) const;

 private:
  friend LinearMode fastest_mode(const LinearProblem& problem);
  struct Node {
    double z;
    double w;
    double q;  // pressure / growth_rate
    double w_slope;
    double q_slope;
  };

  LinearProblem problem_;
  double growth_rate_ = 0;
  std::vector<Node> nodes_;  // from wall to wall
};

/// Throws Error(failed) where nothing grows.
LinearMode fastest_mode(const LinearProblem& problem);

}  // namespace tayra
