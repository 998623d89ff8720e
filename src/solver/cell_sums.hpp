// One cell's part in the sums over a plane, the same for every device.
#pragma once

#include <cmath>
#include <cstdint>

#include "grid/layout.hpp"
#include "physics/gas.hpp"
#include "solver/output_fields.hpp"
#include "solver/plane_sums.hpp"
#include "solver/problem.hpp"

namespace tayra {

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

/// Of the exact bits of a scalar, and its place in the plane.
template <class Real>
TAYRA_HD std::uint64_t fingerprint_of_scalar(Real fraction, int number, std::uint64_t cell) {
  return mixed(__builtin_bit_cast(std::uint64_t, double(fraction)) + mixed(~(most_scalars * cell + number)));
}

/// Volume of the heavy fluid in a mixture of which it is this share of the mass.
TAYRA_HD double heavy_volume(double mass_fraction, double density_ratio) {
  return mass_fraction / (mass_fraction + (1 - mass_fraction) * density_ratio);
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

/// Of a cell whose scalars are these, so far apart: by what the flow carries, or else by potential density.
template <class Real>
TAYRA_HD double heavy_fraction(const Real* scalars, std::size_t apart, double density, double pressure,
                               double gamma, const Layers& layers) {
  return layers.carried >= 0 ? heavy_volume(double(scalars[layers.carried * apart]), layers.density_ratio)
                             : heavy_fraction(density, pressure, gamma, layers);
}

/// The mass fraction of heavy fluid in such a mixture.
TAYRA_HD double mass_fraction(double heavy_fraction, const Layers& layers) {
  const double ratio =
      layers.carried >= 0 ? layers.density_ratio : layers.heavy_density / layers.light_density;
  const double heavy = heavy_fraction * ratio;
  return heavy_fraction > 0 ? heavy / (heavy + (1 - heavy_fraction)) : 0;
}

/// In double whatever the field's precision. `scalars` are those of the cell, so far apart.
template <class Real>
TAYRA_HD PlaneSums sums_of_cell(const State<Real>& state, const Real* scalars, std::size_t apart,
                                std::uint64_t cell, double background_pressure, double gamma,
                                const Layers& layers) {
  const double density = state.density;
  const Vector<double> momentum{
      {double(state.momentum[0]), double(state.momentum[1]), double(state.momentum[2])}};
  Vector<double> kinetic_energy{};
  for (int axis = 0; axis < 3; ++axis) kinetic_energy[axis] = momentum[axis] * momentum[axis] / (2 * density);
  const double speed_squared = dot(momentum, momentum) / (density * density);
  const double pressure =
      whole_pressure({density, momentum, double(state.energy)}, background_pressure, gamma);
  const double fraction = layers.carried >= 0
                              ? heavy_volume(double(scalars[layers.carried * apart]), layers.density_ratio)
                              : heavy_fraction(density, pressure, gamma, layers);
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

/// Adds the scalars' part of the fingerprint of a cell that lies so far into each variable of plane k.
template <class Real>
TAYRA_HD void add_scalars(PlaneSums& sums, const FlowView<Real>& flow, int k, std::size_t i) {
  const Layout& layout = flow.slab.layout;
  const std::size_t apart = layout.variable_stride();
  const Real* first = flow.u + layout.plane_start(k) + field_variables * apart + i;
  for (int number = 0; number < layout.scalars; ++number)
    sums.fingerprint += fingerprint_of_scalar(first[number * apart], number, number_in_plane(flow.slab, i));
}

/// Sums::mass.
template <class Real>
TAYRA_HD void add_mass(PlaneSums& sums, const FlowView<Real>& flow, int k, std::size_t i) {
  const State<Real> state = state_at(flow.slab.layout, flow.u, k, i);
  sums.density += double(state.density);
  sums.fingerprint += fingerprint_of(state, number_in_plane(flow.slab, i));
  add_scalars(sums, flow, k, i);
}

/// Of cell i of the slab's rows of plane k, counted along x, then y, without what is made of differences.
template <class Real>
TAYRA_HD PlaneSums sums_of_cell_alone(const FlowView<Real>& flow, int k, std::size_t i,
                                      const Layers& layers) {
  const Layout& layout = flow.slab.layout;
  const std::size_t apart = layout.variable_stride();
  const Real* scalars = flow.u + layout.plane_start(k) + field_variables * apart + i;
  PlaneSums sums = sums_of_cell(state_at(layout, flow.u, k, i), scalars, apart, number_in_plane(flow.slab, i),
                                static_cast<double>(flow.slab.background[k].pressure), flow.gamma, layers);
  add_scalars(sums, flow, k, i);
  return sums;
}

/// The cells on both sides of one along each axis.
template <class Cell>
struct Neighbours {
  Cell lower[3], upper[3];
};

struct Rotation {
  double enstrophy, baroclinic;
};

/// Half the vorticity squared, and what the baroclinic term ∇ρ × ∇p / ρ² of the vorticity's equation
/// (Brouillette 2002) adds to it: the vorticity times that term. By central differences; `per_two_cells` is
/// one over the distance of the neighbours.
template <class Cell>
TAYRA_HD Rotation rotation_of(const Neighbours<Cell>& cells, double density,
                              const Vector<double>& per_two_cells) {
  Vector<double> density_slope{}, pressure_slope{}, vorticity{}, torque{};
  for (int axis = 0; axis < 3; ++axis) {
    const Cell &lower = cells.lower[axis], &upper = cells.upper[axis];
    density_slope[axis] = (upper.density() - lower.density()) * per_two_cells[axis];
    pressure_slope[axis] = (upper.pressure() - lower.pressure()) * per_two_cells[axis];
  }
  const auto velocity_slope = [&](int component, int along) {
    return (cells.upper[along].velocity(component) - cells.lower[along].velocity(component)) *
           per_two_cells[along];
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, after = (axis + 2) % 3;
    vorticity[axis] = velocity_slope(after, next) - velocity_slope(next, after);
    torque[axis] = density_slope[next] * pressure_slope[after] - density_slope[after] * pressure_slope[next];
  }
  return {dot(vorticity, vorticity) / 2, dot(vorticity, torque) / (density * density)};
}

TAYRA_HD Vector<double> per_two_cells(const Vector<double>& spacing) {
  return {{0.5 / spacing[0], 0.5 / spacing[1], 0.5 / spacing[2]}};
}

/// Of cell i of the slab's rows of plane k, counted along x, then y.
template <class Real>
TAYRA_HD PlaneSums sums_of_cell(const FlowView<Real>& flow, int k, std::size_t i, const Layers& layers) {
  const Layout& layout = flow.slab.layout;
  PlaneSums sums = sums_of_cell_alone(flow, k, i, layers);
  const unsigned nx = layout.nx, place = static_cast<unsigned>(i);
  const CellAmongOthers<Real> cell(flow, static_cast<int>(place % nx), static_cast<int>(place / nx), k);
  const Neighbours<CellView<Real>> neighbours{{cell.beside(0, -1), cell.beside(1, -1), cell.beside(2, -1)},
                                              {cell.beside(0, 1), cell.beside(1, 1), cell.beside(2, 1)}};
  const Rotation rotation = rotation_of(neighbours, cell.density(), per_two_cells(flow.spacing));
  sums.enstrophy = rotation.enstrophy;
  sums.baroclinic = rotation.baroclinic;
  return sums;
}

}  // namespace tayra
