// The fastest growing normal mode of a compressible, stratified, walled Rayleigh-Taylor layer.
#pragma once

#include <vector>

#include "solver/problems/two_layers.hpp"
#include "solver/problems/vertical_mode.hpp"

namespace tayra {

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
