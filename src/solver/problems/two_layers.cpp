// rho = (1 - f) rho_below + f rho_above and its weight.
#include "solver/problems/two_layers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tayra {
namespace {

/// ln cosh x, which doesn't overflow where cosh does.
double log_cosh(double x) { return std::abs(x) + std::log1p(std::exp(-2 * std::abs(x))) - std::numbers::ln2; }

}  // namespace

double TwoLayers::share_above(double z, double rise) const {
  const double height = z - interface_height - rise;
  if (thickness >= cell_height) return 0.5 * (1 + std::tanh(height / thickness));
  if (thickness <= 0) return std::clamp(0.5 + height / cell_height, 0., 1.);
  const double half_cell = 0.5 * cell_height;
  return 0.5 + 0.5 * thickness / cell_height *
                   (log_cosh((height + half_cell) / thickness) - log_cosh((height - half_cell) / thickness));
}

double TwoLayers::density(double z, double rise) const {
  const double above = share_above(z, rise);
  return (1 - above) * density_below + above * density_above;
}

double TwoLayers::density_slope(double z) const {
  const double steepness = 1 / std::cosh((z - interface_height) / thickness);
  return 0.5 * (density_above - density_below) / thickness * steepness * steepness;
}

double TwoLayers::pressure(double z) const {
  const double height = z - interface_height;
  if (thickness <= 0)
    return interface_pressure + gravity * (height < 0 ? density_below : density_above) * height;
  const double mean = 0.5 * (density_below + density_above);
  const double half_jump = 0.5 * (density_above - density_below);
  return interface_pressure +
         gravity * (mean * height + half_jump * thickness * log_cosh(height / thickness));
}

}  // namespace tayra
