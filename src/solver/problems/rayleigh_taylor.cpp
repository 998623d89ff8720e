// Heavy fluid above light, perturbed at the interface.
#include "solver/problems/rayleigh_taylor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "solver/problems/linear_mode.hpp"

namespace tayra {
namespace {

void require_walls(const Grid& grid) {
  require(grid.boundary[2] == Boundary::mirror, ExitCode::bad_input,
          "perturb: eigenmode is that of a box with walls: set grid.boundary.z to mirror");
}

/// Of the exact eigenmode; a sharp interface is taken for a thin one, and walls for no further than the wave
/// reaches. Zero where nothing grows.
double growth_rate_of(const RayleighTaylor& start, double wavenumber) {
  constexpr double thin = 1e-3, reach = 20;  // over the wavenumber
  TwoLayers layers = start.layers;
  layers.cell_height = 0;
  layers.thickness = std::max(layers.thickness, thin / wavenumber);
  const double height = layers.interface_height;
  const LinearProblem wave{.layers = layers,
                           .gamma = start.setting.gamma,
                           .lower = std::max(start.setting.grid.lower[2], height - reach / wavenumber),
                           .upper = std::min(start.setting.grid.upper[2], height + reach / wavenumber),
                           .wavenumber = wavenumber};
  try {
    return fastest_mode(wave).growth_rate();
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

std::vector<Key> RayleighTaylorKeys::keys(const ProblemSetting& setting) {
  std::vector<Key> all = LayerKeys::keys(setting);
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

RayleighTaylor RayleighTaylorKeys::start(const ProblemSetting& setting) const {
  require(setting.gravity != 0, ExitCode::bad_input,
          "physics.gravity: is 0, but Rayleigh-Taylor flow needs gravity: set it, e.g. to -1");
  const RayleighTaylor start{.layers = layers(setting),
                             .perturb = perturb_,
                             .amplitude = upward(setting.gravity) * amplitude_,
                             .setting = setting};
  if (start.perturb == Perturb::eigenmode) {
    require_walls(setting.grid);
    require(
        start.layers.thickness >= start.layers.cell_height, ExitCode::bad_input,
        fmt::format("thickness: is {:.6g}, and the grid sees no eigenmode of an interface that is thinner "
                    "than a cell: give {} or more, or perturb: interface",
                    start.layers.thickness, start.layers.cell_height));
  }
  return start;
}

void require_possible_rise(const RayleighTaylor& start, double highest) {
  if (start.perturb == Perturb::velocity) return;
  const Grid& grid = start.setting.grid;
  const double height = start.layers.interface_height;
  const double room = std::min(height - grid.lower[2], grid.upper[2] - height);
  require(
      highest < room, ExitCode::bad_input,
      fmt::format("amplitude: the interface would reach {:.6g} from its height, but a wall is {:.6g} away: "
                  "lower it",
                  highest, room));
  require(
      start.perturb == Perturb::interface || highest < start.layers.thickness, ExitCode::bad_input,
      fmt::format("amplitude: the interface would rise by {:.6g}, but an eigenmode must be small beside the "
                  "thickness, {:.6g}: lower it",
                  highest, start.layers.thickness));
}

std::function<VerticalMode(double)> vertical_mode(const RayleighTaylor& start, double wavenumber) {
  const Grid& grid = start.setting.grid;
  if (start.perturb == Perturb::velocity)
    return [flow = PotentialFlow{wavenumber, grid.lower[2], start.layers.interface_height, grid.upper[2]}](
               double z) { return flow.at(z); };
  return [mode = fastest_mode({start.layers, start.setting.gamma, grid.lower[2], grid.upper[2], wavenumber})](
             double z) { return mode.at(z); };
}

Primitive layers_at_rest(const TwoLayers& layers, double z, double rise) {
  return {.density = layers.density(z, rise), .velocity = {0, 0, 0}, .pressure = layers.pressure(z)};
}

std::optional<Convection> convection_of(const RayleighTaylor& start, double wavenumber) {
  const auto& [grid, gamma, gravity] = start.setting;
  const TwoLayers& layers = start.layers;
  if (layers.stratification != 0) return std::nullopt;
  // Short waves grow by gravity^2 / c^2, squared: fastest where a layer's pressure is least.
  double pressure = layers.interface_pressure;
  double density = std::min(layers.density_below, layers.density_above);
  for (const auto& [own, wall] :
       {std::pair{layers.density_below, grid.lower[2]}, std::pair{layers.density_above, grid.upper[2]}})
    if (own / layers.pressure(wall) > density / pressure) {
      density = own;
      pressure = layers.pressure(wall);
    }
  const double wave = growth_rate_of(start, wavenumber);
  if (wave == 0) return std::nullopt;
  const auto pressure_for = [&](double rate) { return gravity * gravity * density / (gamma * rate * rate); };
  return Convection{.rate = std::abs(gravity) * std::sqrt(density / (gamma * pressure)),
                    .wave_rate = wave,
                    .quiet_pressure = layers.interface_pressure + pressure_for(0.1 * wave) - pressure,
                    .pressure = layers.interface_pressure};
}

}  // namespace tayra
