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
           "pressure at the interface. Default: 10 density |gravity| L, where L is the length of the longest "
           "wave that is perturbed or the height of the higher layer, whichever is greater",
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
       .range = {.at_least = 0}},
      {.name = "profile",
       .meaning = "what each layer at rest keeps over its height: constant: its density; isothermal: its "
                  "temperature; isentropic: its entropy. Density, jump and thickness are then those at "
                  "the interface's pressure. A layer of constant density convects by itself, an isothermal "
                  "one is stable, an isentropic one neither",
       .kind = Kind::text,
       .fallback = std::string("constant"),
       .choices = {"constant", "isothermal", "isentropic"}}};
}

void derive_layers(Parameters& keys, const ProblemSetting& setting, double wavelength) {
  const double lower = setting.grid.lower[2], upper = setting.grid.upper[2];
  if (!keys.has("interface")) keys.set("interface", 0.5 * (lower + upper));
  if (keys.has("pressure") || setting.gravity == 0) return;
  const double interface = keys.number("interface");
  const double longest = std::max({wavelength, interface - lower, upper - interface});
  keys.set("pressure", weights_in_pressure * keys.number("density") * std::abs(setting.gravity) * longest);
}

double pressure_of_older_runs(const ProblemSetting& setting, double density) {
  const Grid& grid = setting.grid;
  const double longest = std::max({grid.length(0), grid.length(1), 0.5 * grid.length(2)});
  return weights_in_pressure * density * std::abs(setting.gravity) * longest;
}

TwoLayers read_layers(const Parameters& keys, const ProblemSetting& setting) {
  require(keys.has("pressure"), ExitCode::bad_input,
          "pressure: is not given, and its default is a multiple of gravity, which is 0: give it");
  const Grid& grid = setting.grid;
  const double atwood = keys.number("atwood");
  const double heavy = keys.number("density");
  const double light = heavy * (1 - std::abs(atwood)) / (1 + std::abs(atwood));
  const bool heavy_above = atwood * upward(setting.gravity) >= 0;
  const TwoLayers layers{.density_below = heavy_above ? light : heavy,
                         .density_above = heavy_above ? heavy : light,
                         .interface_height = keys.number("interface"),
                         .thickness = keys.number("thickness"),
                         .cell_height = grid.spacing(2),
                         .interface_pressure = keys.number("pressure"),
                         .gravity = setting.gravity,
                         .stratification = stratification_of(keys.text("profile"), setting.gamma)};
  require(layers.interface_height > grid.lower[2] && layers.interface_height < grid.upper[2],
          ExitCode::bad_input,
          fmt::format("interface: {} is outside of the box (z from {} to {}): put it between",
                      layers.interface_height, grid.lower[2], grid.upper[2]));
  require_gas_everywhere(layers, grid);
  return layers;
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
