// blast: energy released in a ball in the middle of the box.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "solver/problem.hpp"

namespace tayra::problems {
namespace {

class Blast final : public Problem {
 public:
  std::vector<Key> keys(const ProblemSetting& /*setting*/) override {
    return {key("energy", energy_,
                "energy released in the ball, in addition to that of gas at the surrounding pressure",
                {.at_least = 0}),
            key("radius", radius_, "radius of the ball", {.above = 0}),
            key("density", ambient_.density, "density everywhere", {.above = 0}),
            key("pressure", ambient_.pressure, "pressure of the surrounding gas", {.above = 0})};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    const Grid& grid = setting.grid;
    const std::int64_t cells = count_cells(grid);
    require(
        cells > 0, ExitCode::bad_input,
        fmt::format("radius: a ball of radius {} holds no cell centre of this grid: enlarge it", radius_));
    require(static_cast<double>(cells) < grid.cell_count(), ExitCode::bad_input,
            fmt::format("radius: a ball of radius {} fills the whole box: make it smaller", radius_));
    const double volume = static_cast<double>(cells) * grid.spacing(0) * grid.spacing(1) * grid.spacing(2);
    auto made = std::make_unique<Blast>(*this);
    made->excess_pressure_ = (setting.gamma - 1) * energy_ / volume;
    return made;
  }

  Primitive initial(const Point& point) const override {
    Primitive gas = ambient_;
    if (is_in_ball(point.offset)) gas.pressure += excess_pressure_;
    return gas;
  }

 private:
  bool is_in_ball(const Vec3& offset) const {
    return offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2] <= radius_ * radius_;
  }

  /// How many cell centres lie in the ball, so that the energy is exact on any grid.
  std::int64_t count_cells(const Grid& grid) const {
    std::int64_t count = 0;
    for (int z = 0; z < grid.cells[2]; ++z)
      for (int y = 0; y < grid.cells[1]; ++y) {
        if (!is_in_ball({0, grid.offset(1, y), grid.offset(2, z)})) continue;
        for (int x = 0; x < grid.cells[0]; ++x) count += is_in_ball(grid.point(x, y, z).offset) ? 1 : 0;
      }
    return count;
  }

  double energy_ = 1;
  double radius_ = 0.1;
  Primitive ambient_{.density = 1, .velocity = {0, 0, 0}, .pressure = 1e-3};
  double excess_pressure_ = 0;
};

}  // namespace

ProblemEntry blast() {
  return {.name = "blast",
          .summary = "a spherical blast wave: energy is released in a ball in the middle of the box",
          .keys = [] { return std::make_unique<Blast>(); },
          .default_boundary = {Boundary::outflow, Boundary::outflow, Boundary::outflow}};
}

}  // namespace tayra::problems
