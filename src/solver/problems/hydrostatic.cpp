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
  bool has_heavy_above_light() const override {
    return (column_.density_above - column_.density_below) * upward(column_.gravity) > 0;
  }

 private:
  TwoLayers column_;
  std::optional<Layers> layers_;
  Pulse pulse_;
  double gamma_;
};

class HydrostaticKeys final : public LayerKeys {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override;
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    return std::make_unique<Hydrostatic>(layers(setting), pulse(setting.grid), setting);
  }

 private:
  Pulse pulse(const Grid& grid) const;

  double amplitude_ = 0;
  std::optional<double> height_, width_;
};

std::vector<Key> HydrostaticKeys::keys(const ProblemSetting& setting) {
  std::vector<Key> all = LayerKeys::keys(setting);
  Key& atwood = key_named("atwood", all);
  atwood.meaning += "; negative: the heavy fluid lies where gravity pulls it, which is stable; 0: one fluid";
  atwood.rules.above = -1;
  all.push_back(section(
      "pulse",
      {key("amplitude", amplitude_,
           "amplitude of an adiabatic pressure pulse, relative to the pressure at rest; 0: no pulse",
           {.above = -1}),
       key("height", height_, "height of the pulse's middle. Default: a quarter of the box from below",
           {.derived =
                [&] {
                  if (amplitude_ != 0) height_ = setting.grid.lower[2] + 0.25 * setting.grid.length(2);
                }}),
       key("width", width_,
           "width of the pulse, the standard deviation of a bell curve. Default: a twentieth of the box's "
           "height, but at least the height of a cell",
           {.above = 0, .derived = [&] {
              const Grid& grid = setting.grid;
              if (amplitude_ != 0) width_ = std::max(0.05 * grid.length(2), grid.spacing(2));
            }})}));
  return all;
}

Pulse HydrostaticKeys::pulse(const Grid& grid) const {
  if (amplitude_ == 0) return {.amplitude = 0, .height = 0, .width = 1};
  require(*height_ >= grid.lower[2] && *height_ <= grid.upper[2], ExitCode::bad_input,
          fmt::format("pulse.height: {} is outside of the box (z from {} to {}): put it inside", *height_,
                      grid.lower[2], grid.upper[2]));
  require(*width_ >= grid.spacing(2), ExitCode::bad_input,
          fmt::format("pulse.width: {} is less than a cell: give {} or more, or refine the grid", *width_,
                      grid.spacing(2)));
  return {.amplitude = amplitude_, .height = *height_, .width = *width_};
}

}  // namespace

ProblemEntry hydrostatic() {
  return {.name = "hydrostatic",
          .summary = "two layers at rest under gravity, stable or not",
          .keys = [] { return std::make_unique<HydrostaticKeys>(); },
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

}  // namespace tayra::problems
