// shock_tube: two gases at rest or in motion, a membrane between them that is gone at time 0.
#include <fmt/format.h>

#include "core/error.hpp"
#include "physics/exact_riemann.hpp"
#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

class ShockTube final : public Problem {
 public:
  ShockTube(const RiemannState& left, const RiemannState& right, int axis, double membrane, double gamma)
      : left_(left), right_(right), axis_(axis), membrane_(membrane), riemann_(left, right, gamma) {}

  Primitive initial(const Point& point) const override {
    return along_axis(point.offset[axis_] < membrane_ ? left_ : right_);
  }

  /// Until a wave meets the end of the box.
  std::optional<Primitive> exact(const Point& point, double time) const override {
    if (time == 0) return initial(point);
    return along_axis(riemann_.sample((point.offset[axis_] - membrane_) / time));
  }

 private:
  Primitive along_axis(const RiemannState& gas) const {
    Primitive state{.density = gas.density, .velocity = {0, 0, 0}, .pressure = gas.pressure};
    state.velocity[axis_] = gas.velocity;
    return state;
  }

  RiemannState left_;
  RiemannState right_;
  int axis_;
  double membrane_;  // from the middle of the box
  ExactRiemann riemann_;
};

double middle_of(const Grid& grid, int axis) { return 0.5 * (grid.lower[axis] + grid.upper[axis]); }

Key side_keys(const std::string& side, RiemannState& gas) {
  return section(side, {key("density", gas.density, "density of the gas on the " + side, {.above = 0}),
                        key("velocity", gas.velocity, "velocity along the axis of the gas on the " + side),
                        key("pressure", gas.pressure, "pressure of the gas on the " + side, {.above = 0})});
}

struct ShockTubeKeys final : ProblemKeys {
  int axis = 0;
  double position = 0;
  RiemannState left{1, 0, 1}, right{0.125, 0, 0.1};

  std::vector<Key> keys(const ProblemSetting& setting) override {
    return {
        choice("axis", axis, "axis of the tube", {{"x", 0}, {"y", 1}, {"z", 2}}),
        key("position", position, "position of the membrane along the axis. Default: the middle of the box",
            {.derived = [&] { position = middle_of(setting.grid, axis); }}),
        side_keys("left", left), side_keys("right", right)};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    const Grid& grid = setting.grid;
    require_cells_along(axis, "axis", grid);
    require(position > grid.lower[axis] && position < grid.upper[axis], ExitCode::bad_input,
            fmt::format("position: {} is outside of the box ({} from {} to {}): put it between", position,
                        "xyz"[axis], grid.lower[axis], grid.upper[axis]));
    return std::make_unique<ShockTube>(left, right, axis, position - middle_of(grid, axis), setting.gamma);
  }
};

}  // namespace

ProblemEntry shock_tube() {
  return {.name = "shock_tube",
          .summary = "a Riemann problem along any axis, by default Sod's; the exact solution is known",
          .keys = [] { return std::make_unique<ShockTubeKeys>(); },
          .default_boundary = {Boundary::outflow, Boundary::outflow, Boundary::outflow}};
}

}  // namespace tayra::problems
