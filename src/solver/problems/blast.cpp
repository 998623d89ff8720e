// blast: energy released in a ball in the middle of the box.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "solver/problem.hpp"

namespace tayra::problems {
namespace {

struct Ball {
  double radius;
  bool contains(const Vec3& offset) const {
    return offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2] <= radius * radius;
  }
};

/// How many cell centres lie in the ball, so that the energy is exact on any grid.
std::int64_t count_cells(const Grid& grid, const Ball& ball) {
  std::int64_t count = 0;
  for (int z = 0; z < grid.cells[2]; ++z)
    for (int y = 0; y < grid.cells[1]; ++y) {
      if (!ball.contains({0, grid.offset(1, y), grid.offset(2, z)})) continue;
      for (int x = 0; x < grid.cells[0]; ++x) count += ball.contains(grid.point(x, y, z).offset) ? 1 : 0;
    }
  return count;
}

class Blast final : public Problem {
 public:
  Blast(const Ball& ball, const Primitive& ambient, double excess_pressure)
      : ball_(ball), ambient_(ambient), heated_(ambient) {
    heated_.pressure += excess_pressure;
  }
  Primitive initial(const Point& point) const override {
    return ball_.contains(point.offset) ? heated_ : ambient_;
  }

 private:
  Ball ball_;
  Primitive ambient_;
  Primitive heated_;
};

struct BlastKeys final : ProblemKeys {
  double energy = 1;
  double radius = 0.1;
  double density = 1;
  double pressure = 1e-3;

  std::vector<Key> keys(const ProblemSetting& /*setting*/) override {
    return {key("energy", energy,
                "energy released in the ball, in addition to that of gas at the surrounding pressure",
                {.at_least = 0}),
            key("radius", radius, "radius of the ball", {.above = 0}),
            key("density", density, "density everywhere", {.above = 0}),
            key("pressure", pressure, "pressure of the surrounding gas", {.above = 0})};
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    const Grid& grid = setting.grid;
    const std::int64_t cells = count_cells(grid, {radius});
    require(cells > 0, ExitCode::bad_input,
            fmt::format("radius: a ball of radius {} holds no cell centre of this grid: enlarge it", radius));
    require(static_cast<double>(cells) < grid.cell_count(), ExitCode::bad_input,
            fmt::format("radius: a ball of radius {} fills the whole box: make it smaller", radius));
    const double volume = static_cast<double>(cells) * grid.spacing(0) * grid.spacing(1) * grid.spacing(2);
    const Primitive ambient{.density = density, .velocity = {0, 0, 0}, .pressure = pressure};
    return std::make_unique<Blast>(Ball{radius}, ambient, (setting.gamma - 1) * energy / volume);
  }
};

}  // namespace

ProblemEntry blast() {
  return {.name = "blast",
          .summary = "a spherical blast wave: energy is released in a ball in the middle of the box",
          .keys = [] { return std::make_unique<BlastKeys>(); },
          .default_boundary = {Boundary::outflow, Boundary::outflow, Boundary::outflow}};
}

}  // namespace tayra::problems
