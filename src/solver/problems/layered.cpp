// Atwood number A and heavy density give both densities: light = heavy (1 - A) / (1 + A).
#include "solver/problems/layered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

}  // namespace

std::vector<Key> LayeredProblem::keys(const ProblemSetting& setting) {
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

double LayeredProblem::height_of_interface(const Grid& grid) const {
  return interface_.value_or(grid.middle(2));
}

double LayeredProblem::longest_length(const Grid& grid) const {
  const double interface = height_of_interface(grid);
  return std::max({wavelength(grid), interface - grid.lower[2], grid.upper[2] - interface});
}

/// Unset without gravity.
std::optional<double> LayeredProblem::usual_pressure(double length, const ProblemSetting& setting) const {
  if (setting.gravity == 0) return std::nullopt;
  return weights_in_pressure * density_ * std::abs(setting.gravity) * length;
}

void LayeredProblem::fit(const ProblemSetting& setting) {
  require(pressure_.has_value(), ExitCode::bad_input,
          "pressure: is not given, and its default is a multiple of gravity, which is 0: give it");
  setting_ = setting;
  const Grid& grid = setting.grid;
  const double heavy = density_;
  const double light = heavy * (1 - std::abs(atwood_)) / (1 + std::abs(atwood_));
  const bool heavy_above = atwood_ * upward() >= 0;
  column_ = {.density_below = heavy_above ? light : heavy,
             .density_above = heavy_above ? heavy : light,
             .interface_height = height_of_interface(grid),
             .thickness = thickness_,
             .cell_height = grid.spacing(2),
             .interface_pressure = *pressure_,
             .gravity = setting.gravity,
             .stratification = stratification_of(profile_, setting.gamma)};
  require(column_.interface_height > grid.lower[2] && column_.interface_height < grid.upper[2],
          ExitCode::bad_input,
          fmt::format("interface: {} is outside of the box (z from {} to {}): put it between",
                      column_.interface_height, grid.lower[2], grid.upper[2]));
  require_gas_everywhere();
}

/// From wall to wall, which holds for ghost cells, too.
void LayeredProblem::require_gas_everywhere() const {
  for (const double z : {setting_.grid.lower[2], setting_.grid.upper[2]})
    require(column_.pressure(z) > 0, ExitCode::bad_input,
            fmt::format("pressure: {:.6g} at the interface leaves none at height {:.6g}, the end of the box, "
                        "because of the weight of the fluid between: give more than {:.6g}{}",
                        column_.interface_pressure, z, column_.least_interface_pressure(z),
                        column_.stratification < 1 ? ", or profile: isothermal" : ""));
}

Key& LayeredProblem::key_named(const std::string& name, std::vector<Key>& keys) {
  return *std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

std::optional<Layers> LayeredProblem::layers() const {
  const auto range_of = [&](double density, double wall) {
    const double to_interface = column_.interface_pressure / column_.pressure(wall);
    return std::minmax(
        {density, density * std::pow(to_interface, 1 / setting_.gamma - column_.stratification)});
  };
  const auto below = range_of(column_.density_below, setting_.grid.lower[2]);
  const auto above = range_of(column_.density_above, setting_.grid.upper[2]);
  const auto [light, heavy] = std::minmax(below, above);
  const auto carried = setting_.scalar(heavy_scalar);
  if (light.second >= heavy.first && !carried) return std::nullopt;
  const auto [lightest, heaviest] = std::minmax(column_.density_below, column_.density_above);
  return Layers{.light_density = light.second,
                .heavy_density = heavy.first,
                .own_range = std::max(light.second - light.first, heavy.second - heavy.first) /
                             std::abs(column_.density_above - column_.density_below),
                .interface_height = column_.interface_height,
                .interface_pressure = column_.interface_pressure,
                .heavy_above = column_.density_below < column_.density_above,
                .carried = carried.value_or(-1),
                .density_ratio = heaviest / lightest};
}

std::vector<Key> RayleighTaylor::keys(const ProblemSetting& setting) {
  std::vector<Key> all = LayeredProblem::keys(setting);
  key_named("pressure", all).meaning +=
      ". The higher it is, the less compressible the flow: with speeds of about sqrt(|gravity| l) on "
      "waves of length l, the Mach number squared is density |gravity| l / (gamma pressure); with the "
      "default it is at most 1 / (10 gamma)";
  all.push_back(key("amplitude", amplitude_,
                    "rise of the interface, against gravity, in the middle of the box; with perturb: "
                    "velocity, its speed there"));
  all.push_back(choice(
      "perturb", perturb_,
      "what is perturbed. interface: its height. velocity: the velocity, as in potential flow. eigenmode: "
      "all fields, as in the fastest growing linear mode; this needs a thickness of at least the height of "
      "a cell, a rise of the interface less than the thickness, and grid.boundary.z: mirror",
      {{"velocity", Perturb::velocity},
       {"interface", Perturb::interface},
       {"eigenmode", Perturb::eigenmode}}));
  return all;
}

void RayleighTaylor::fit(const ProblemSetting& setting) {
  require(setting.gravity != 0, ExitCode::bad_input,
          "physics.gravity: is 0, but Rayleigh-Taylor flow needs gravity: set it, e.g. to -1 (where it "
          "varies, at t = 0)");
  LayeredProblem::fit(setting);
  if (perturb_ != Perturb::eigenmode) return;
  require(setting.grid.boundary[2] == Boundary::mirror, ExitCode::bad_input,
          "perturb: eigenmode is that of a box with walls: set grid.boundary.z to mirror");
  require(column_.thickness >= column_.cell_height, ExitCode::bad_input,
          fmt::format("thickness: is {:.6g}, and the grid sees no eigenmode of an interface that is thinner "
                      "than a cell: give {} or more, or perturb: interface",
                      column_.thickness, column_.cell_height));
}

void RayleighTaylor::require_possible_rise(double highest) const {
  if (perturb_ == Perturb::velocity) return;
  const Grid& grid = setting_.grid;
  const double height = column_.interface_height;
  const double room = std::min(height - grid.lower[2], grid.upper[2] - height);
  require(
      highest < room, ExitCode::bad_input,
      fmt::format("amplitude: the interface would reach {:.6g} from its height, but a wall is {:.6g} away: "
                  "lower it",
                  highest, room));
  require(
      perturb_ == Perturb::interface || highest < column_.thickness, ExitCode::bad_input,
      fmt::format("amplitude: the interface would rise by {:.6g}, but an eigenmode must be small beside the "
                  "thickness, {:.6g}: lower it",
                  highest, column_.thickness));
}

std::function<VerticalMode(double)> RayleighTaylor::vertical_mode(double wavenumber) const {
  const double lower = setting_.grid.lower[2], upper = setting_.grid.upper[2];
  if (perturb_ == Perturb::velocity)
    return [flow = PotentialFlow{wavenumber, lower, column_.interface_height, upper}](double z) {
      return flow.at(z);
    };
  return [mode = fastest_mode({column_, setting_.gamma, lower, upper, wavenumber})](double z) {
    return mode.at(z);
  };
}

/// Of the exact eigenmode; a sharp interface is taken for a thin one, and walls for no further than the wave
/// reaches. Zero where nothing grows.
double RayleighTaylor::growth_rate(double wavenumber) const {
  constexpr double thin = 1e-3, reach = 20;  // over the wavenumber
  TwoLayers layers = column_;
  layers.cell_height = 0;
  layers.thickness = std::max(layers.thickness, thin / wavenumber);
  const double height = layers.interface_height;
  const LinearProblem wave{.layers = layers,
                           .gamma = setting_.gamma,
                           .lower = std::max(setting_.grid.lower[2], height - reach / wavenumber),
                           .upper = std::min(setting_.grid.upper[2], height + reach / wavenumber),
                           .wavenumber = wavenumber};
  try {
    return fastest_mode(wave).growth_rate();
  } catch (const Error&) {
    return 0;
  }
}

std::optional<Convection> RayleighTaylor::convection() const {
  const Grid& grid = setting_.grid;
  const double gamma = setting_.gamma, gravity = setting_.gravity;
  if (column_.stratification != 0) return std::nullopt;
  // Short waves grow by gravity^2 / c^2, squared: fastest where a layer's pressure is least.
  double pressure = column_.interface_pressure;
  double density = std::min(column_.density_below, column_.density_above);
  for (const auto& [own, wall] :
       {std::pair{column_.density_below, grid.lower[2]}, std::pair{column_.density_above, grid.upper[2]}})
    if (own / column_.pressure(wall) > density / pressure) {
      density = own;
      pressure = column_.pressure(wall);
    }
  const double wave = growth_rate(least_wavenumber());
  if (wave == 0) return std::nullopt;
  const double quiet_rate = 0.1 * wave;
  return Convection{.rate = std::abs(gravity) * std::sqrt(density / (gamma * pressure)),
                    .wave_rate = wave,
                    .quiet_pressure = column_.interface_pressure +
                                      gravity * gravity * density / (gamma * quiet_rate * quiet_rate) -
                                      pressure,
                    .pressure = column_.interface_pressure};
}

}  // namespace tayra
