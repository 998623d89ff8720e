// hydrostatic: two layers at rest, stable or not, and if wanted a pulse of sound that travels through them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "solver/problems/layer_keys.hpp"

namespace tayra::problems {
namespace {

/// Each layer at its own temperature, p = p_0 exp(rho_0 g (z - z_0) / p_0) with rho_0 its density at the
/// interface.
struct IsothermalLayers {
  TwoLayers at_interface;

  double decay(double z, double density) const {
    return std::exp(density * at_interface.gravity * (z - at_interface.interface_height) /
                    at_interface.interface_pressure);
  }
  double density(double z) const {
    const TwoLayers& layers = at_interface;
    TwoLayers here = layers;  // both densities at this height, for the cell that the interface cuts
    here.density_below *= decay(z, layers.density_below);
    here.density_above *= decay(z, layers.density_above);
    return here.density(z);
  }
  double pressure(double z) const {
    const TwoLayers& layers = at_interface;
    const double density = z < layers.interface_height ? layers.density_below : layers.density_above;
    return layers.interface_pressure * decay(z, density);
  }
};

/// A bell in height, relative to the pressure there.
struct Pulse {
  double amplitude;
  double height;
  double width;

  double at(double z) const {
    const double distance = (z - height) / width;
    return amplitude * std::exp(-0.5 * distance * distance);
  }
};

template <class Column>
class Hydrostatic final : public Problem {
 public:
  Hydrostatic(const Column& column, const std::optional<Layers>& layers, const Pulse& pulse, double gamma)
      : column_(column), layers_(layers), pulse_(pulse), gamma_(gamma) {}

  Primitive initial(const Point& point) const override {
    const Background rest = background(point.position[2]);
    const double pulse = pulse_.at(point.position[2]);
    return {.density = rest.density * std::pow(1 + pulse, 1 / gamma_),  // compressed adiabatically
            .velocity = {0, 0, 0},
            .pressure = rest.pressure + rest.pressure * pulse};
  }
  Background background(double z) const override { return {column_.density(z), column_.pressure(z)}; }
  std::optional<Primitive> exact(const Point& point, double /*time*/) const override {
    if (pulse_.amplitude != 0) return std::nullopt;
    return initial(point);
  }
  std::optional<Layers> layers() const override { return layers_; }

 private:
  Column column_;
  std::optional<Layers> layers_;
  Pulse pulse_;
  double gamma_;
};

Pulse read_pulse(const Parameters& keys, const Grid& grid) {
  const Pulse pulse{.amplitude = keys.number("pulse.amplitude"),
                    .height = keys.has("pulse.height") ? keys.number("pulse.height")
                                                       : grid.lower[2] + 0.25 * grid.length(2),
                    .width = keys.has("pulse.width") ? keys.number("pulse.width")
                                                     : std::max(0.05 * grid.length(2), grid.spacing(2))};
  if (pulse.amplitude == 0) return pulse;
  require(pulse.height >= grid.lower[2] && pulse.height <= grid.upper[2], ExitCode::bad_input,
          fmt::format("pulse.height: {} is outside of the box (z from {} to {}): put it inside", pulse.height,
                      grid.lower[2], grid.upper[2]));
  require(pulse.width >= grid.spacing(2), ExitCode::bad_input,
          fmt::format("pulse.width: {} is less than a cell: give {} or more, or refine the grid", pulse.width,
                      grid.spacing(2)));
  return pulse;
}

std::unique_ptr<Problem> make(const Parameters& keys, const ProblemSetting& setting) {
  const TwoLayers layers = read_layers(keys, setting);
  const Pulse pulse = read_pulse(keys, setting.grid);
  if (keys.text("profile") == "constant") {
    require_positive_pressure(layers, setting.grid);
    return std::make_unique<Hydrostatic<TwoLayers>>(layers, diagnosed_layers(layers, setting), pulse,
                                                    setting.gamma);
  }
  require(layers.thickness == 0, ExitCode::bad_input,
          "thickness: isothermal layers meet at a sharp interface: set it to 0, or profile: constant");
  const IsothermalLayers column{layers};
  const auto at_height = [&](double z) { return Background{column.density(z), column.pressure(z)}; };
  const FluidsAtWalls at_walls{at_height(setting.grid.lower[2]), at_height(setting.grid.upper[2])};
  return std::make_unique<Hydrostatic<IsothermalLayers>>(
      column, diagnosed_layers(layers, at_walls, setting.gamma), pulse, setting.gamma);
}

std::vector<Parameter> hydrostatic_keys() {
  std::vector<Parameter> keys = layer_keys();
  for (Parameter& key : keys)
    if (key.name == "atwood") {
      key.meaning += "; negative: the heavy fluid lies where gravity pulls it, which is stable; 0: one fluid";
      key.range = {.above = -1, .below = 1};
    }
  keys.push_back({.name = "profile",
                  .meaning =
                      "profile of each layer. constant: constant density; isothermal: constant temperature "
                      "(problem.density and problem.pressure are then those at the interface, which must be "
                      "sharp: thickness 0)",
                  .kind = Kind::text,
                  .fallback = std::string("constant"),
                  .choices = {"constant", "isothermal"}});
  keys.push_back(
      {.name = "pulse.amplitude",
       .meaning = "amplitude of an adiabatic pressure pulse, relative to the pressure at rest; 0: no pulse",
       .kind = Kind::number,
       .fallback = 0.,
       .range = {.above = -1}});
  keys.push_back({.name = "pulse.height",
                  .meaning = "height of the pulse's middle. Default: a quarter of the box from below",
                  .kind = Kind::number});
  keys.push_back(
      {.name = "pulse.width",
       .meaning = "width of the pulse, the standard deviation of a bell curve. Default: a twentieth of the "
                  "box's height, but at least the height of a cell",
       .kind = Kind::number,
       .range = {.above = 0}});
  return keys;
}

}  // namespace

ProblemEntry hydrostatic() {
  return {.name = "hydrostatic",
          .summary = "two layers at rest under gravity, stable or not",
          .keys = hydrostatic_keys(),
          .make = make,
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

}  // namespace tayra::problems
