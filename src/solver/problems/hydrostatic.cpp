// hydrostatic: two layers at rest, stable or not, and if wanted a pulse of sound that travels through them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "solver/problems/layer_keys.hpp"

namespace tayra::problems {
namespace {

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

class Hydrostatic final : public Problem {
 public:
  Hydrostatic(const TwoLayers& column, const Pulse& pulse, const ProblemSetting& setting)
      : column_(column), layers_(diagnosed_layers(column, setting)), pulse_(pulse), gamma_(setting.gamma) {}

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
  TwoLayers column_;
  std::optional<Layers> layers_;
  Pulse pulse_;
  double gamma_;
};

Pulse read_pulse(const Parameters& keys, const Grid& grid) {
  if (keys.number("pulse.amplitude") == 0) return {.amplitude = 0, .height = 0, .width = 1};
  const Pulse pulse{.amplitude = keys.number("pulse.amplitude"),
                    .height = keys.number("pulse.height"),
                    .width = keys.number("pulse.width")};
  require(pulse.height >= grid.lower[2] && pulse.height <= grid.upper[2], ExitCode::bad_input,
          fmt::format("pulse.height: {} is outside of the box (z from {} to {}): put it inside", pulse.height,
                      grid.lower[2], grid.upper[2]));
  require(pulse.width >= grid.spacing(2), ExitCode::bad_input,
          fmt::format("pulse.width: {} is less than a cell: give {} or more, or refine the grid", pulse.width,
                      grid.spacing(2)));
  return pulse;
}

void derive(Parameters& keys, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  derive_layers(keys, setting, 0);
  if (keys.number("pulse.amplitude") == 0) return;
  if (!keys.has("pulse.height")) keys.set("pulse.height", grid.lower[2] + 0.25 * grid.length(2));
  if (!keys.has("pulse.width")) keys.set("pulse.width", std::max(0.05 * grid.length(2), grid.spacing(2)));
}

std::unique_ptr<Problem> make(const Parameters& keys, const ProblemSetting& setting) {
  return std::make_unique<Hydrostatic>(read_layers(keys, setting), read_pulse(keys, setting.grid), setting);
}

std::vector<Parameter> hydrostatic_keys() {
  std::vector<Parameter> keys = layer_keys();
  for (Parameter& key : keys)
    if (key.name == "atwood") {
      key.meaning += "; negative: the heavy fluid lies where gravity pulls it, which is stable; 0: one fluid";
      key.range = {.above = -1, .below = 1};
    }
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
          .derive = derive,
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

}  // namespace tayra::problems
