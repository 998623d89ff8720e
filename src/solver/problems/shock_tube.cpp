// shock_tube: two gases at rest or in motion, a membrane between them that is gone at time 0.
#include <fmt/format.h>

#include "core/error.hpp"
#include "physics/exact_riemann.hpp"
#include "solver/problem.hpp"
#include "solver/problems/resolved_waves.hpp"

namespace tayra::problems {
namespace {

RiemannState read_side(const Parameters& keys, const std::string& side) {
  return {keys.number(side + ".density"), keys.number(side + ".velocity"), keys.number(side + ".pressure")};
}

class ShockTube final : public Problem {
 public:
  ShockTube(const Parameters& keys, int axis, double membrane, double gamma)
      : left_(read_side(keys, "left")),
        right_(read_side(keys, "right")),
        axis_(axis),
        membrane_(membrane),
        riemann_(left_, right_, gamma) {}

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

int axis_of(const Parameters& keys) {
  const std::string& name = keys.text("axis");
  return name == "x" ? 0 : name == "y" ? 1 : 2;
}

double middle_of(const Grid& grid, int axis) { return 0.5 * (grid.lower[axis] + grid.upper[axis]); }

void derive(Parameters& keys, const ProblemSetting& setting) {
  if (!keys.has("position")) keys.set("position", middle_of(setting.grid, axis_of(keys)));
}

std::unique_ptr<Problem> make(const Parameters& keys, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  const std::string& name = keys.text("axis");
  const int axis = axis_of(keys);
  require_cells_along(axis, "axis", grid);
  const double position = keys.number("position");
  require(position > grid.lower[axis] && position < grid.upper[axis], ExitCode::bad_input,
          fmt::format("position: {} is outside of the box ({} from {} to {}): put it between", position, name,
                      grid.lower[axis], grid.upper[axis]));
  return std::make_unique<ShockTube>(keys, axis, position - middle_of(grid, axis), setting.gamma);
}

std::vector<Parameter> side_keys(const std::string& side, double density, double pressure) {
  return {{.name = side + ".density",
           .meaning = "density of the gas on the " + side,
           .kind = Kind::number,
           .fallback = density,
           .range = {.above = 0}},
          {.name = side + ".velocity",
           .meaning = "velocity along the axis of the gas on the " + side,
           .kind = Kind::number,
           .fallback = 0.},
          {.name = side + ".pressure",
           .meaning = "pressure of the gas on the " + side,
           .kind = Kind::number,
           .fallback = pressure,
           .range = {.above = 0}}};
}

std::vector<Parameter> shock_tube_keys() {
  std::vector<Parameter> keys{
      {.name = "axis",
       .meaning = "axis of the tube",
       .kind = Kind::text,
       .fallback = std::string("x"),
       .choices = {"x", "y", "z"}},
      {.name = "position",
       .meaning = "position of the membrane along the axis. Default: the middle of the box",
       .kind = Kind::number}};
  for (const auto& side : {side_keys("left", 1, 1), side_keys("right", 0.125, 0.1)})
    keys.insert(keys.end(), side.begin(), side.end());
  return keys;
}

}  // namespace

ProblemEntry shock_tube() {
  return {.name = "shock_tube",
          .summary = "a Riemann problem along any axis, by default Sod's; the exact solution is known",
          .keys = shock_tube_keys(),
          .make = make,
          .derive = derive,
          .default_boundary = {Boundary::outflow, Boundary::outflow, Boundary::outflow}};
}

}  // namespace tayra::problems
