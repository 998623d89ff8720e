// One cell's part in the sums over a plane, the same for every device.
#pragma once

#include <cmath>
#include <cstdint>

#include "grid/layout.hpp"
#include "physics/gas.hpp"
#include "solver/plane_sums.hpp"
#include "solver/problem.hpp"

namespace tayra {

/// Spreads a change of any bit over all bits (the finalizer of splitmix64, Steele, Lea & Flood 2014).
TAYRA_HD std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

/// Of a cell's exact bits and its place in the plane.
template <class Real>
TAYRA_HD std::uint64_t fingerprint_of(const State<Real>& state, std::uint64_t cell) {
  const double words[] = {double(state.density), double(state.momentum[0]), double(state.momentum[1]),
                          double(state.momentum[2]), double(state.energy)};
  std::uint64_t sum = 0;
  for (int i = 0; i < field_variables; ++i)
    sum += mixed(__builtin_bit_cast(std::uint64_t, words[i]) + mixed(field_variables * cell + i + 1));
  return sum;
}

/// The volume fraction of heavy fluid in [0, 1] that a mixture of both at one pressure has; adiabatic changes
/// leave it as it is. Of one fluid, layers of equal density, it is zero.
TAYRA_HD double heavy_fraction(double density, double pressure, double gamma, const Layers& layers) {
  const double light = layers.light_density, heavy = layers.heavy_density;
  const double expansion = layers.interface_pressure / pressure;
  // The power's tangents bound it on either side and spare it in cells of one fluid, which are most.
  if (light == heavy || density * (1 + (expansion - 1) / gamma) <= light) return 0;
  if (density >= heavy * (1 + (1 / expansion - 1) / gamma)) return 1;
  const double potential_density = density * std::pow(expansion, 1 / gamma);
  return minimum(maximum((potential_density - light) / (heavy - light), 0.0), 1.0);
}

/// In double whatever the field's precision.
template <class Real>
TAYRA_HD PlaneSums sums_of_cell(const State<Real>& state, std::uint64_t cell, double background_pressure,
                                double gamma, const Layers& layers) {
  const double density = state.density;
  const Vector<double> momentum{
      {double(state.momentum[0]), double(state.momentum[1]), double(state.momentum[2])}};
  Vector<double> kinetic_energy{};
  for (int axis = 0; axis < 3; ++axis) kinetic_energy[axis] = momentum[axis] * momentum[axis] / (2 * density);
  const double speed_squared = dot(momentum, momentum) / (density * density);
  const double pressure =
      whole_pressure({density, momentum, double(state.energy)}, background_pressure, gamma);
  const double fraction = heavy_fraction(density, pressure, gamma, layers);
  return {
      .density = density,
      .momentum = momentum,
      .energy = double(state.energy) + background_pressure / (gamma - 1),
      .kinetic_energy = kinetic_energy,
      .heavy_fraction = fraction,
      .mixed_fraction = fraction * (1 - fraction),
      .max_mach = ::sqrt(speed_squared * density / (gamma * pressure)),  // of zero, too: not square_root()
      .max_speed_w = absolute(momentum[2]) / density,
      .min_density = density,
      .min_pressure = pressure,
      .fingerprint = fingerprint_of(state, cell)};
}

}  // namespace tayra
