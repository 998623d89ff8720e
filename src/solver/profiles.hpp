// Profiles: means over planes that statistics.h5 holds. Adding one: a struct with its value in a cell, and
// its name in the list below. docs/statistics.md says what follows from them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/cell_sums.hpp"
#include "solver/output_fields.hpp"

namespace tayra {

// What a profile is given, a cell, tells density(), specific_volume(), velocity(axis), pressure(),
// heavy_fraction(), mass_fraction(), and by central differences velocity_slope(component, along) and
// fraction_slope(along).

/// Of one gas, with or without layers.
struct OfAnyFlow {
  static constexpr bool is_of_layers = false;
};
/// Of two fluids.
struct OfLayers {
  static constexpr bool is_of_layers = true;
};

struct DensityProfile : OfAnyFlow {
  static constexpr const char *name = "density", *units = "mass / length^3", *meaning = "density";
  static TAYRA_HD double value(const auto& cell) { return cell.density(); }
};

struct DensitySquaredProfile : OfAnyFlow {
  static constexpr const char *name = "density_squared", *units = "mass^2 / length^6",
                              *meaning = "density squared";
  static TAYRA_HD double value(const auto& cell) { return cell.density() * cell.density(); }
};

struct SpecificVolumeProfile : OfAnyFlow {
  static constexpr const char *name = "specific_volume", *units = "length^3 / mass", *meaning = "1 / density";
  static TAYRA_HD double value(const auto& cell) { return cell.specific_volume(); }
};

struct PressureProfile : OfAnyFlow {
  static constexpr const char *name = "pressure", *units = "mass / (length time^2)", *meaning = "pressure";
  static TAYRA_HD double value(const auto& cell) { return cell.pressure(); }
};

template <int axis>
struct VelocityProfile : OfAnyFlow {
  static constexpr std::array names{"velocity_x", "velocity_y", "velocity_z"};
  static constexpr const char *name = names[axis], *units = "length / time", *meaning = "velocity";
  static TAYRA_HD double value(const auto& cell) { return cell.velocity(axis); }
};

template <int axis>
struct MassFluxProfile : OfAnyFlow {
  static constexpr std::array names{"mass_flux_x", "mass_flux_y", "mass_flux_z"};
  static constexpr const char *name = names[axis], *units = "mass / (length^2 time)",
                              *meaning = "density times velocity";
  static TAYRA_HD double value(const auto& cell) { return cell.density() * cell.velocity(axis); }
};

template <int axis, int other>
struct MomentumFluxProfile : OfAnyFlow {
  static constexpr std::array names{"momentum_flux_xx",
                                    "momentum_flux_xy",
                                    "momentum_flux_xz",
                                    "",
                                    "momentum_flux_yy",
                                    "momentum_flux_yz",
                                    "",
                                    "",
                                    "momentum_flux_zz"};
  static constexpr const char *name = names[3 * axis + other], *units = "mass / (length time^2)",
                              *meaning = "density times velocity times velocity, of two components";
  static TAYRA_HD double value(const auto& cell) {
    return cell.density() * cell.velocity(axis) * cell.velocity(other);
  }
};

TAYRA_HD double dilatation(const auto& cell) {
  return (cell.velocity_slope(0, 0) + cell.velocity_slope(1, 1)) + cell.velocity_slope(2, 2);
}

struct EnstrophyProfile : OfAnyFlow {
  static constexpr const char *name = "enstrophy", *units = "1 / time^2",
                              *meaning = "half the vorticity squared, by central differences";
  static TAYRA_HD double value(const auto& cell) {
    const double x = cell.velocity_slope(2, 1) - cell.velocity_slope(1, 2),
                 y = cell.velocity_slope(0, 2) - cell.velocity_slope(2, 0),
                 z = cell.velocity_slope(1, 0) - cell.velocity_slope(0, 1);
    return 0.5 * ((x * x + y * y) + z * z);
  }
};

struct DilatationProfile : OfAnyFlow {
  static constexpr const char *name = "dilatation", *units = "1 / time",
                              *meaning = "divergence of the velocity, by central differences";
  static TAYRA_HD double value(const auto& cell) { return dilatation(cell); }
};

struct PressureDilatationProfile : OfAnyFlow {
  static constexpr const char *name = "pressure_dilatation", *units = "mass / (length time^3)",
                              *meaning = "pressure times divergence of the velocity, by central differences";
  static TAYRA_HD double value(const auto& cell) { return cell.pressure() * dilatation(cell); }
};

struct HeavyFractionProfile : OfLayers {
  static constexpr const char *name = "heavy_fraction", *units = "1",
                              *meaning = "f, volume fraction of the heavy fluid";
  static TAYRA_HD double value(const auto& cell) { return cell.heavy_fraction(); }
};

struct MixedFractionProfile : OfLayers {
  static constexpr const char *name = "mixed_fraction", *units = "1", *meaning = "f (1 - f)";
  static TAYRA_HD double value(const auto& cell) {
    return cell.heavy_fraction() * (1 - cell.heavy_fraction());
  }
};

struct LesserFractionProfile : OfLayers {
  static constexpr const char *name = "lesser_fraction", *units = "1", *meaning = "the lesser of f and 1 - f";
  static TAYRA_HD double value(const auto& cell) {
    return minimum(cell.heavy_fraction(), 1 - cell.heavy_fraction());
  }
};

struct MassFractionProfile : OfLayers {
  static constexpr const char *name = "mass_fraction", *units = "1",
                              *meaning = "Y, mass fraction of the heavy fluid";
  static TAYRA_HD double value(const auto& cell) { return cell.mass_fraction(); }
};

struct MixedMassProfile : OfLayers {
  static constexpr const char *name = "mixed_mass", *units = "mass / length^3",
                              *meaning = "density times Y (1 - Y)";
  static TAYRA_HD double value(const auto& cell) {
    return cell.density() * cell.mass_fraction() * (1 - cell.mass_fraction());
  }
};

struct ScalarDissipationProfile : OfLayers {
  static constexpr const char *name = "scalar_dissipation", *units = "1 / length^2",
                              *meaning =
                                  "gradient of f squared, by central differences; the dissipation of "
                                  "scalar variance without its factor, twice the diffusivity";
  static TAYRA_HD double value(const auto& cell) {
    const double x = cell.fraction_slope(0), y = cell.fraction_slope(1), z = cell.fraction_slope(2);
    return (x * x + y * y) + z * z;
  }
};

using Profiles =
    std::tuple<DensityProfile, DensitySquaredProfile, SpecificVolumeProfile, PressureProfile,
               VelocityProfile<0>, VelocityProfile<1>, VelocityProfile<2>, MassFluxProfile<0>,
               MassFluxProfile<1>, MassFluxProfile<2>, MomentumFluxProfile<0, 0>, MomentumFluxProfile<1, 1>,
               MomentumFluxProfile<2, 2>, MomentumFluxProfile<0, 1>, MomentumFluxProfile<0, 2>,
               MomentumFluxProfile<1, 2>, EnstrophyProfile, DilatationProfile, PressureDilatationProfile,
               HeavyFractionProfile, MixedFractionProfile, LesserFractionProfile, MassFractionProfile,
               MixedMassProfile, ScalarDissipationProfile>;
inline constexpr int profile_count = std::tuple_size_v<Profiles>;

/// Calls act.operator()<Profile>(number) for each.
template <class Act>
TAYRA_HD void for_each_profile(const Act& act) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (act.template operator()<std::tuple_element_t<i, Profiles>>(static_cast<int>(i)), ...);
  }
  (std::make_index_sequence<profile_count>());
}

/// What files say of a profile.
struct ProfileFacts {
  std::string name, units, meaning;
  bool is_of_layers;
};
/// A profile's number is its place in the list.
const std::vector<ProfileFacts>& profile_facts();

/// The gas of a cell, in double whatever the flow is in.
struct CellGas {
  double density, specific_volume, velocity[3], pressure, heavy_fraction;
};

/// From the words of its state; the fraction is left to others.
TAYRA_HD CellGas gas_of(double density, double x, double y, double z, double energy,
                        double background_pressure, double gamma_minus_1) {
  const double inverse = 1 / density, u = x * inverse, v = y * inverse, w = z * inverse;
  const double kinetic = 0.5 * density * ((u * u + v * v) + w * w);
  return {density, inverse, {u, v, w}, background_pressure + gamma_minus_1 * (energy - kinetic), 0};
}

/// Of a cell of the slab or one beside it, also beyond the box: there a wall turns the velocity around.
template <class Real>
TAYRA_HD CellGas gas_at(const FlowView<Real>& flow, const Layers& layers, int x, int y, int k) {
  const Slab<Real>& slab = flow.slab;
  const Source at_x = ghost_source(x, slab.layout.nx, slab.x), at_y = row_source(y, slab),
               at_z = plane_source(k, slab);
  const std::size_t cell = static_cast<std::size_t>(at_y.index) * slab.layout.nx + at_x.index;
  const State<Real> state = state_at(slab.layout, flow.u, at_z.index, cell);
  CellGas gas = gas_of(state.density, state.momentum[0], state.momentum[1], state.momentum[2], state.energy,
                       slab.background[at_z.index].pressure, flow.gamma - 1);
  const std::size_t apart = slab.layout.variable_stride();
  const Real* scalars = flow.u + slab.layout.plane_start(at_z.index) + field_variables * apart + cell;
  gas.heavy_fraction = heavy_fraction(scalars, apart, gas.density, gas.pressure, flow.gamma, layers);
  if (at_x.flipped) gas.velocity[0] = -gas.velocity[0];
  if (at_y.flipped) gas.velocity[1] = -gas.velocity[1];
  if (at_z.flipped) gas.velocity[2] = -gas.velocity[2];
  return gas;
}

// A plane's sum is taken tile by tile: in a tile column by column, then over columns by a tree, and at last
// over tiles. This order is the same on all devices and for any number of slabs: those of cut rows hold whole
// tiles, and others add these up.
inline constexpr int profile_columns = 128, profile_rows = 32;
enum class ProfilesOf { planes, tiles };

struct ProfileTiles {
  int along_x, along_y;
  TAYRA_HD explicit ProfileTiles(const Layout& layout)
      : along_x((layout.nx + profile_columns - 1) / profile_columns),
        along_y((layout.ny + profile_rows - 1) / profile_rows) {}
  TAYRA_HD int count() const { return along_x * along_y; }
  TAYRA_HD int first_column(int tile) const { return tile % along_x * profile_columns; }
  TAYRA_HD int first_row(int tile) const { return tile / along_x * profile_rows; }
};

}  // namespace tayra
