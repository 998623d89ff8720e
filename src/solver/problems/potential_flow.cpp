// w = sinh(k depth) / sinh(k depth of the interface), depth measured from the wall of the layer.
#include <cmath>

#include "solver/problems/vertical_mode.hpp"

namespace tayra {
namespace {

/// sinh(a) / sinh(b) and cosh(a) / sinh(b) for 0 <= a <= b, where each alone may overflow.
double sinh_ratio(double a, double b) { return std::exp(a - b) * std::expm1(-2 * a) / std::expm1(-2 * b); }
double cosh_ratio(double a, double b) {
  return -std::exp(a - b) * (1 + std::exp(-2 * a)) / std::expm1(-2 * b);
}

}  // namespace

VerticalMode PotentialFlow::at(double z) const {
  if (z <= lower || z >= upper) return {};
  const double below = wavenumber * (interface_height - lower);
  const double above = wavenumber * (upper - interface_height);
  VerticalMode mode;
  // Free of divergence: k * horizontal + dw/dz = 0. At the interface itself the two sides' mean.
  if (z <= interface_height) {
    mode.w = sinh_ratio(wavenumber * (z - lower), below);
    mode.horizontal -= cosh_ratio(wavenumber * (z - lower), below);
  }
  if (z >= interface_height) {
    mode.w = sinh_ratio(wavenumber * (upper - z), above);
    mode.horizontal += cosh_ratio(wavenumber * (upper - z), above);
  }
  if (z == interface_height) mode.horizontal *= 0.5;
  return mode;
}

}  // namespace tayra
