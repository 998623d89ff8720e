// hydrostatic: two layers at rest, stable or not, and if wanted a pulse of sound that travels through them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "solver/problems/layered.hpp"

namespace tayra::problems {
namespace {

class Hydrostatic final : public LayeredProblem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    std::vector<Key> all = LayeredProblem::keys(setting);
    Key& atwood = key_named("atwood", all);
    atwood.meaning +=
        "; negative: the heavy fluid lies where gravity pulls it, which is stable; 0: one fluid";
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

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<Hydrostatic>(*this);
    made->fit(setting);
    if (amplitude_ != 0) require_possible_pulse(setting.grid);
    return made;
  }

  Primitive initial(const Point& point) const override {
    const Background rest = background(point.position[2]);
    const double pulse = pulse_at(point.position[2]);
    Primitive gas{
        .density = rest.density * std::pow(1 + pulse, 1 / setting_.gamma),  // compressed adiabatically
        .velocity = {0, 0, 0},
        .pressure = rest.pressure + rest.pressure * pulse};
    set_fraction(gas, point.position[2], 0);
    return gas;
  }

 private:
  /// A bell in height, relative to the pressure there.
  double pulse_at(double z) const {
    if (amplitude_ == 0) return 0;
    const double distance = (z - *height_) / *width_;
    return amplitude_ * std::exp(-0.5 * distance * distance);
  }

  void require_possible_pulse(const Grid& grid) const {
    require(*height_ >= grid.lower[2] && *height_ <= grid.upper[2], ExitCode::bad_input,
            fmt::format("pulse.height: {} is outside of the box (z from {} to {}): put it inside", *height_,
                        grid.lower[2], grid.upper[2]));
    require(*width_ >= grid.spacing(2), ExitCode::bad_input,
            fmt::format("pulse.width: {} is less than a cell: give {} or more, or refine the grid", *width_,
                        grid.spacing(2)));
  }

  double amplitude_ = 0;
  std::optional<double> height_, width_;
};

}  // namespace

ProblemEntry hydrostatic() {
  return {.name = "hydrostatic",
          .summary = "two layers at rest under gravity, stable or not",
          .keys = [] { return std::make_unique<Hydrostatic>(); },
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

}  // namespace tayra::problems
