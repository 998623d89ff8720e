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

std::unique_ptr<Problem> make(const Parameters& keys, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  const Ball ball{keys.number("radius")};
  const std::int64_t cells = count_cells(grid, ball);
  require(
      cells > 0, ExitCode::bad_input,
      fmt::format("radius: a ball of radius {} holds no cell centre of this grid: enlarge it", ball.radius));
  require(static_cast<double>(cells) < grid.cell_count(), ExitCode::bad_input,
          fmt::format("radius: a ball of radius {} fills the whole box: make it smaller", ball.radius));
  const double volume = static_cast<double>(cells) * grid.spacing(0) * grid.spacing(1) * grid.spacing(2);
  const Primitive ambient{
      .density = keys.number("density"), .velocity = {0, 0, 0}, .pressure = keys.number("pressure")};
  return std::make_unique<Blast>(ball, ambient, (setting.gamma - 1) * keys.number("energy") / volume);
}

}  // namespace

ProblemEntry blast() {
  return {.name = "blast",
          .summary = "a spherical blast wave: energy is released in a ball in the middle of the box",
          .keys = {{.name = "energy",
                    .meaning =
                        "energy released in the ball, in addition to that of gas at the surrounding pressure",
                    .kind = Kind::number,
                    .fallback = 1.,
                    .range = {.at_least = 0}},
                   {.name = "radius",
                    .meaning = "radius of the ball",
                    .kind = Kind::number,
                    .fallback = 0.1,
                    .range = {.above = 0}},
                   {.name = "density",
                    .meaning = "density everywhere",
                    .kind = Kind::number,
                    .fallback = 1.,
                    .range = {.above = 0}},
                   {.name = "pressure",
                    .meaning = "pressure of the surrounding gas",
                    .kind = Kind::number,
                    .fallback = 1e-3,
                    .range = {.above = 0}}},
          .make = make,
          .default_boundary = {Boundary::outflow, Boundary::outflow, Boundary::outflow}};
}

}  // namespace tayra::problems
