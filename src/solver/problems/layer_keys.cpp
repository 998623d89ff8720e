// Atwood number A and heavy density give both densities: light = heavy (1 - A) / (1 + A).
#include "solver/problems/layer_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace tayra {
namespace {

/// Weakly compressible: see "How compressible" in docs/numerics.md.
constexpr double weights_in_pressure = 10;

double stratification_of(const std::string& profile, double gamma) {
  if (profile == "isothermal") return 1;
  return profile == "isentropic" ? 1 / gamma : 0;
}

/// From which the default pressure of versions followed that did not write it down.
double former_length(const Grid& grid) {
  return std::max({grid.length(0), grid.length(1), 0.5 * grid.length(2)});
}

/// From wall to wall, which holds for ghost cells, too.
void require_gas_everywhere(const TwoLayers& layers, const Grid& grid) {
  for (const double z : {grid.lower[2], grid.upper[2]})
    require(layers.pressure(z) > 0, ExitCode::bad_input,
            fmt::format("pressure: {:.6g} at the interface leaves none at height {:.6g}, the end of the box, "
                        "because of the weight of the fluid between: give more than {:.6g}{}",
                        layers.interface_pressure, z, layers.least_interface_pressure(z),
                        layers.stratification < 1 ? ", or profile: isothermal" : ""));
}

}  // namespace

std::vector<Key> LayerKeys::keys(const ProblemSetting& setting) {
  return {
      key("atwood", atwood_, "Atwood number of the two densities: (heavy - light) / (heavy + light)",
          {.above = 0, .below = 1}),
      key("density", density_, "density of the heavy fluid", {.above = 0}),
      key("pressure", pressure_,
          "pressure at the interface. Default: 10 density |gravity| L, where L is the length of the longest "
          "wave that is perturbed or the height of the higher layer, whichever is greater",
          {.above = 0,
           .derived = [&] { pressure_ = usual_pressure(longest_length(setting.grid), setting); },
           .formerly = [&] { pressure_ = usual_pressure(former_length(setting.grid), setting); }}),
      key("interface", interface_, "height of the interface. Default: the middle of the box",
          {.derived = [&] { interface_ = height_of_interface(setting.grid); }}),
      key("thickness", thickness_,
          "thickness d of the interface: density = mean + half jump tanh((z - interface) / d); 0: sharp. If "
          "d is less than the height of a cell, cells hold the mean of this profile over their height, else "
          "its value at their centre",
          {.at_least = 0}),
      choice("profile", profile_,
             "what each layer at rest keeps over its height: constant: its density; isothermal: its "
             "temperature; isentropic: its entropy. Density, jump and thickness are then those at the "
             "interface's pressure. A layer of constant density convects by itself, an isothermal one is "
             "stable, an isentropic one neither",
             {"constant", "isothermal", "isentropic"})};
}

double LayerKeys::height_of_interface(const Grid& grid) const {
  return interface_.value_or(0.5 * (grid.lower[2] + grid.upper[2]));
}

double LayerKeys::longest_length(const Grid& grid) const {
  const double interface = height_of_interface(grid);
  return std::max({wavelength(grid), interface - grid.lower[2], grid.upper[2] - interface});
}

/// Unset without gravity.
std::optional<double> LayerKeys::usual_pressure(double length, const ProblemSetting& setting) const {
  if (setting.gravity == 0) return std::nullopt;
  return weights_in_pressure * density_ * std::abs(setting.gravity) * length;
}

TwoLayers LayerKeys::layers(const ProblemSetting& setting) const {
  require(pressure_.has_value(), ExitCode::bad_input,
          "pressure: is not given, and its default is a multiple of gravity, which is 0: give it");
  const Grid& grid = setting.grid;
  const double heavy = density_;
  const double light = heavy * (1 - std::abs(atwood_)) / (1 + std::abs(atwood_));
  const bool heavy_above = atwood_ * upward(setting.gravity) >= 0;
  const TwoLayers layers{.density_below = heavy_above ? light : heavy,
                         .density_above = heavy_above ? heavy : light,
                         .interface_height = height_of_interface(grid),
                         .thickness = thickness_,
                         .cell_height = grid.spacing(2),
                         .interface_pressure = *pressure_,
                         .gravity = setting.gravity,
                         .stratification = stratification_of(profile_, setting.gamma)};
  require(layers.interface_height > grid.lower[2] && layers.interface_height < grid.upper[2],
          ExitCode::bad_input,
          fmt::format("interface: {} is outside of the box (z from {} to {}): put it between",
                      layers.interface_height, grid.lower[2], grid.upper[2]));
  require_gas_everywhere(layers, grid);
  return layers;
}

Key& key_named(const std::string& name, std::vector<Key>& keys) {
  return *std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

std::optional<Layers> diagnosed_layers(const TwoLayers& layers, const ProblemSetting& setting) {
  const double pressure = layers.interface_pressure;
  const auto range_of = [&](double density, double wall) {
    const double to_interface = pressure / layers.pressure(wall);
    return std::minmax(
        {density, density * std::pow(to_interface, 1 / setting.gamma - layers.stratification)});
  };
  const auto below = range_of(layers.density_below, setting.grid.lower[2]);
  const auto above = range_of(layers.density_above, setting.grid.upper[2]);
  const auto [light, heavy] = std::minmax(below, above);
  if (light.second >= heavy.first) return std::nullopt;
  return Layers{.light_density = light.second,
                .heavy_density = heavy.first,
                .own_range = std::max(light.second - light.first, heavy.second - heavy.first) /
                             std::abs(layers.density_above - layers.density_below),
                .interface_height = layers.interface_height,
                .interface_pressure = pressure,
                .heavy_above = below < above};
}

}  // namespace tayra
