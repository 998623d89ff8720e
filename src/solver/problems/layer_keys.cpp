// Atwood number A and heavy density give both densities: light = heavy (1 - A) / (1 + A).
#include "solver/problems/layer_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace tayra {
namespace {

/// Weakly compressible: sqrt(A g L) is at most a quarter of the slowest sound speed, and half a box of heavy
/// fluid weighs at most a tenth of the pressure.
double default_pressure(const ProblemSetting& setting, double density) {
  require(setting.gravity != 0, ExitCode::bad_input,
          "pressure: is not given, and its default is a multiple of gravity, which is 0: give it");
  const Grid& grid = setting.grid;
  const double longest = std::max({grid.length(0), grid.length(1), 0.5 * grid.length(2)});
  return 10 * density * std::abs(setting.gravity) * longest;
}

}  // namespace

std::vector<Parameter> layer_keys() {
  return {
      {.name = "atwood",
       .meaning = "Atwood number of the two densities: (heavy - light) / (heavy + light)",
       .kind = Kind::number,
       .fallback = 0.5,
       .range = {.above = 0, .below = 1}},
      {.name = "density",
       .meaning = "density of the heavy fluid",
       .kind = Kind::number,
       .fallback = 1.,
       .range = {.above = 0}},
      {.name = "pressure",
       .meaning =
           "pressure at the interface. Default: 10 density |gravity| L, where L is the largest of the box's "
           "width, depth and half height",
       .kind = Kind::number,
       .range = {.above = 0}},
      {.name = "interface",
       .meaning = "height of the interface. Default: the middle of the box",
       .kind = Kind::number},
      {.name = "thickness",
       .meaning = "thickness d of the interface: density = mean + half jump tanh((z - interface) / d); 0: "
                  "sharp. If d is less than the height of a cell, cells hold the mean of this profile over "
                  "their height, else its value at their centre",
       .kind = Kind::number,
       .fallback = 0.,
       .range = {.at_least = 0}}};
}

TwoLayers read_layers(const Parameters& keys, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  const double atwood = keys.number("atwood");
  const double heavy = keys.number("density");
  const double light = heavy * (1 - std::abs(atwood)) / (1 + std::abs(atwood));
  const bool heavy_above = atwood * upward(setting.gravity) >= 0;
  const TwoLayers layers{
      .density_below = heavy_above ? light : heavy,
      .density_above = heavy_above ? heavy : light,
      .interface_height =
          keys.has("interface") ? keys.number("interface") : 0.5 * (grid.lower[2] + grid.upper[2]),
      .thickness = keys.number("thickness"),
      .cell_height = grid.spacing(2),
      .interface_pressure = keys.has("pressure") ? keys.number("pressure") : default_pressure(setting, heavy),
      .gravity = setting.gravity};
  require(layers.interface_height > grid.lower[2] && layers.interface_height < grid.upper[2],
          ExitCode::bad_input,
          fmt::format("interface: {} is outside of the box (z from {} to {}): put it between",
                      layers.interface_height, grid.lower[2], grid.upper[2]));
  return layers;
}

std::optional<Layers> diagnosed_layers(const TwoLayers& at_interface, const FluidsAtWalls& at_walls,
                                       double gamma) {
  const double pressure = at_interface.interface_pressure;
  const auto range_of = [&](double density, const Background& at_wall) {
    return std::minmax({density, at_wall.density * std::pow(pressure / at_wall.pressure, 1 / gamma)});
  };
  const auto below = range_of(at_interface.density_below, at_walls.below);
  const auto above = range_of(at_interface.density_above, at_walls.above);
  const auto [light, heavy] = std::minmax(below, above);
  if (light.second >= heavy.first) return std::nullopt;
  return Layers{.light_density = light.second,
                .heavy_density = heavy.first,
                .own_range = std::max(light.second - light.first, heavy.second - heavy.first) /
                             std::abs(at_interface.density_above - at_interface.density_below),
                .interface_height = at_interface.interface_height,
                .interface_pressure = pressure,
                .heavy_above = below < above};
}

std::optional<Layers> diagnosed_layers(const TwoLayers& layers, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  return diagnosed_layers(layers,
                          {{layers.density_below, layers.pressure(grid.lower[2])},
                           {layers.density_above, layers.pressure(grid.upper[2])}},
                          setting.gamma);
}

void require_positive_pressure(const TwoLayers& layers, const Grid& grid) {
  for (const double z : {grid.lower[2], grid.upper[2]}) {
    const double pressure = layers.pressure(z);
    require(pressure > 0, ExitCode::bad_input,
            fmt::format(
                "pressure: {:.6g} at the interface leaves {:.6g} at height {:.6g}, the end of the box (the "
                "fluid between weighs {:.6g}): give more than that weight",
                layers.interface_pressure, pressure, z, layers.interface_pressure - pressure));
  }
}

}  // namespace tayra
