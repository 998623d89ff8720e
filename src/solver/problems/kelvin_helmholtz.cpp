// kelvin_helmholtz: the smooth shear layers of McNally, Lyra & Passy (2012), A well-posed Kelvin-Helmholtz
// instability test and comparison, ApJS 201, 18 (equations 1-3): shear in x across y, uniform along z.
#include <cmath>
#include <numbers>

#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

constexpr double outer_density = 1, inner_density = 2;
constexpr double outer_velocity = 0.5, inner_velocity = -0.5;
constexpr double layer_width = 0.025;  // of the box, as all lengths here
constexpr double resting_pressure = 2.5;

/// 0 in the outer gas, 1 in the inner; 1/2 at the two interfaces, y = 1/4 and y = 3/4, with y from 0 to 1.
double inner_share(double y) {
  const double depth = 0.25 - std::abs(y - 0.5);  // inside of the nearer interface
  const double tail = 0.5 * std::exp(-std::abs(depth) / layer_width);
  return depth < 0 ? tail : 1 - tail;
}

class KelvinHelmholtz final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& /*setting*/) override {
    return {key("amplitude", amplitude_,
                "amplitude of the velocity along y: v = amplitude sin(4 pi x / L), with x from the lower "
                "corner and L the box's length along x")};
  }
  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    for (const int axis : {0, 1}) require_cells_along(axis, "name", setting.grid);
    auto made = std::make_unique<KelvinHelmholtz>(*this);
    made->grid_ = setting.grid;
    return made;
  }
  Primitive initial(const Point& point) const override {
    const double x = 0.5 + point.offset[0] / grid_.length(0);
    const double y = 0.5 + point.offset[1] / grid_.length(1);
    const double inner = inner_share(y);
    return {.density = outer_density + inner * (inner_density - outer_density),
            .velocity = {outer_velocity + inner * (inner_velocity - outer_velocity),
                         amplitude_ * std::sin(4 * std::numbers::pi * x), 0},
            .pressure = resting_pressure};
  }

 private:
  double amplitude_ = 0.01;
  Grid grid_;
};

}  // namespace

ProblemEntry kelvin_helmholtz() {
  return {
      .name = "kelvin_helmholtz",
      .summary = "two smooth shear layers (McNally, Lyra & Passy 2012)",
      .keys = [] { return std::make_unique<KelvinHelmholtz>(); },
      .details =
          "Gas flows along x, sheared across y and uniform along z. Density is 2 and velocity -0.5 "
          "between a quarter and three quarters of the box along y; beyond, density is 1 and velocity 0.5. "
          "The pressure is 2.5. At a distance d from one of these interfaces the other gas's "
          "share is exp(-d / w) / 2, with w = 0.025 of the box along y."};
}

}  // namespace tayra::problems
