// shock_tube: two gases at rest or in motion, a membrane between them that is gone at time 0.
#include <fmt/format.h>

#include "core/error.hpp"
#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

struct TubeGas {
  double density, velocity, pressure;
};

Key side_keys(const std::string& side, TubeGas& gas) {
  return section(side, {key("density", gas.density, "density of the gas on the " + side, {.above = 0}),
                        key("velocity", gas.velocity, "velocity along the axis of the gas on the " + side),
                        key("pressure", gas.pressure, "pressure of the gas on the " + side, {.above = 0})});
}

class ShockTube final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {
        choice("axis", axis_, "axis of the tube", {{"x", 0}, {"y", 1}, {"z", 2}}),
        key("position", position_, "position of the membrane along the axis. Default: the middle of the box",
            {.derived = [&] { position_ = setting.grid.middle(axis_); }}),
        side_keys("left", left_), side_keys("right", right_)};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    const Grid& grid = setting.grid;
    require_cells_along(axis_, "axis", grid);
    require(position_ > grid.lower[axis_] && position_ < grid.upper[axis_], ExitCode::bad_input,
            fmt::format("position: {} is outside of the box ({} from {} to {}): put it between", position_,
                        "xyz"[axis_], grid.lower[axis_], grid.upper[axis_]));
    auto made = std::make_unique<ShockTube>(*this);
    made->membrane_ = position_ - grid.middle(axis_);
    return made;
  }

  Primitive initial(const Point& point) const override {
    const TubeGas& gas = point.offset[axis_] < membrane_ ? left_ : right_;
    Primitive state{.density = gas.density, .velocity = {0, 0, 0}, .pressure = gas.pressure};
    state.velocity[axis_] = gas.velocity;
    return state;
  }

 private:
  int axis_ = 0;
  double position_ = 0;
  TubeGas left_{1, 0, 1}, right_{0.125, 0, 0.1};
  double membrane_ = 0;  // from the middle of the box
};

}  // namespace

ProblemEntry shock_tube() {
  return {.name = "shock_tube",
          .summary = "a Riemann problem along any axis, by default Sod's; the exact solution is known",
          .keys = [] { return std::make_unique<ShockTube>(); },
          .default_boundary = {Boundary::outflow, Boundary::outflow, Boundary::outflow}};
}

}  // namespace tayra::problems
