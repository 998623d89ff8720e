// Layers in balance, from those that an incompressible fluid would have. With r = (1 - f) rho_below + f
// rho_above, its weight W = g * integral of r from the interface, and m the stratification,
//
//     rho = r (p / p_0)^m    and    dp/dz = rho g    give    (p / p_0)^(1 - m) = 1 + (1 - m) W / p_0,
//
// or p = p_0 exp(W / p_0) for m = 1: exact through the interface, however thick it is.
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

double TwoLayers::incompressible_density(double z, double rise) const {
  const double above = share_above(z, rise);
  return (1 - above) * density_below + above * density_above;
}

double TwoLayers::incompressible_slope(double z) const {
  const double steepness = 1 / std::cosh((z - interface_height) / thickness);
  return 0.5 * (density_above - density_below) / thickness * steepness * steepness;
}

double TwoLayers::incompressible_weight(double z) const {
  const double height = z - interface_height;
  if (thickness <= 0) return gravity * (height < 0 ? density_below : density_above) * height;
  const double mean = 0.5 * (density_below + density_above);
  const double half_jump = 0.5 * (density_above - density_below);
  return gravity * (mean * height + half_jump * thickness * log_cosh(height / thickness));
}

double TwoLayers::pressure(double z) const {
  if (stratification == 0) return interface_pressure + incompressible_weight(z);
  return interface_pressure * relative_pressure(z);
}

double TwoLayers::relative_pressure(double z) const {
  const double weight = incompressible_weight(z) / interface_pressure;
  if (stratification == 1) return std::exp(weight);
  const double power = 1 - stratification;
  return std::pow(std::max(0., 1 + power * weight), 1 / power);
}

double TwoLayers::least_interface_pressure(double z) const {
  return std::max(0., (stratification - 1) * incompressible_weight(z));
}

double TwoLayers::compression(double z) const { return std::pow(relative_pressure(z), stratification); }

double TwoLayers::density(double z, double rise) const {
  const double density = incompressible_density(z, rise);
  return stratification == 0 ? density : density * compression(z);
}

double TwoLayers::heavy_share(double z, double rise) const {
  const double share = std::clamp(share_above(z, rise), 0., 1.);  // but for round-off it lies there
  const double above = share * density_above, below = (1 - share) * density_below;
  return (density_above >= density_below ? above : below) / (above + below);
}

double TwoLayers::density_slope(double z) const {
  if (stratification == 0) return incompressible_slope(z);
  const double rho = density(z);
  return incompressible_slope(z) * compression(z) + stratification * rho * rho * gravity / pressure(z);
}

}  // namespace tayra
