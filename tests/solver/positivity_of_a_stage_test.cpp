// What the positivity limiter promises of a stage: up to cfl 1/6 a gas stays a gas. Above that most flow
// does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "physics/schemes.hpp"
#include "physics/stencils.hpp"
#include "solver/problem.hpp"
#include "solver/sweep.hpp"

namespace tayra::testing {
namespace {

/// A periodic cube without gravity, of unit cells.
class Cube {
 public:
  static constexpr int side = 8;

  explicit Cube(double gamma) : gas_(gamma), u_(layout.size()) {}

  void set(int x, int y, int z, const Primitive& primitive) {
    const Cell<double> made = cell_of(primitive, 0, gas_);
    const State<double>& state = made.state;
    double* cell = u_.data() + layout.plane_start(z) + std::size_t(y) * layout.nx + x;
    const std::size_t word = layout.variable_stride();
    cell[0] = state.density;
    for (int i = 0; i < 3; ++i) cell[(1 + i) * word] = state.momentum[i];
    cell[4 * word] = state.energy;
    fastest_ = std::max(fastest_, signal_rate(made, {{1, 1, 1}}));
  }

  bool stays_a_gas(int scheme, double cfl, Positivity positivity = Positivity::on) const {
    return bad_cell(scheme, cfl, positivity) == no_cell;
  }

  /// The first one after a forward Euler stage, the dt of which these very states give.
  std::int64_t bad_cell(int scheme, double cfl, Positivity positivity, int first_plane = 0) const {
    const std::vector<PlaneBackground<double>> background(layout.nz + 2 * ghost_planes);
    std::vector<double> next(layout.size());
    StepClock clock;
    clock.dt = cfl / fastest_;
    sweep_on_cpu<double>({{layout,
                           first_plane,
                           Beyond::periodic,
                           Beyond::periodic,
                           Boundary::periodic,
                           RowsInBox::all(layout.ny, Boundary::periodic),
                           {{{1, 1, 1}}, 1, {{1, 1, 1}}},
                           background.data() + ghost_planes},
                          {gas_, ColumnGravity<double>(0, 1)},
                          Stage{0, true},
                          u_.data(),
                          u_.data(),
                          next.data(),
                          &clock,
                          all_planes(layout.nz),
                          {}},
                         scheme, positivity);
    return clock.found.bad_cell;
  }

 private:
  static constexpr Layout layout{side, side, side};
  const Gas<double> gas_;
  std::vector<double> u_;
  double fastest_ = 0;
};

constexpr double ratio = 1.4;

TEST(PositivityOfAStage, HoldsInViolentFlowUpToTheDefaultCfl) {
  Dice dice(3);
  std::array<int, scheme_count> broken_without_limiter{};
  for (int box = 0; box < 200; ++box) {
    Cube cube(ratio);
    for (int z = 0; z < Cube::side; ++z)
      for (int y = 0; y < Cube::side; ++y)
        for (int x = 0; x < Cube::side; ++x) {
          Primitive cell{dice.between_powers(1e-3, 10), {}, dice.between_powers(1e-3, 10)};
          const double sound = std::sqrt(ratio * cell.pressure / cell.density);
          for (double& u : cell.velocity) u = dice.between(-10, 10) * sound;
          cube.set(x, y, z, cell);
        }
    for (int scheme = 0; scheme < scheme_count; ++scheme) {
      for (const double cfl : {1. / 6, 0.6})
        EXPECT_TRUE(cube.stays_a_gas(scheme, cfl)) << "box " << box << ", scheme " << scheme << ", " << cfl;
      broken_without_limiter[scheme] += !cube.stays_a_gas(scheme, 1. / 6, Positivity::off);
    }
  }
  for (int scheme = 0; scheme < scheme_count; ++scheme) {
    const NamedScheme& named = all_schemes()[scheme];
    EXPECT_EQ(broken_without_limiter[scheme] > 0, named.traits.wants_limiter)
        << named.name << ": too tame to show anything, or wants_limiter is wrong";
  }
}

/// dt goes by the fastest cell, summed over axes; here no cell is fast along more than one.
Cube left_by_six_neighbours(const std::vector<std::array<int, 3>>& cells) {
  Cube cube(ratio);
  for (int z = 0; z < Cube::side; ++z)
    for (int y = 0; y < Cube::side; ++y)
      for (int x = 0; x < Cube::side; ++x) {
        Primitive gas{1, {}, 1e-6};
        for (const auto& cell : cells) {
          const int from[]{x - cell[0], y - cell[1], z - cell[2]};
          int distance = 0;
          for (const int steps : from) distance += std::abs(steps);
          if (distance == 1)
            for (int axis = 0; axis < 3; ++axis) gas.velocity[axis] = from[axis];
        }
        cube.set(x, y, z, gas);
      }
  return cube;
}

TEST(PositivityOfAStage, EndsWhereSixNeighboursLeaveACell) {
  const Cube cube = left_by_six_neighbours({{3, 3, 3}});
  for (int scheme = 0; scheme < scheme_count; ++scheme) {
    EXPECT_TRUE(cube.stays_a_gas(scheme, 1. / 6)) << scheme;
    EXPECT_FALSE(cube.stays_a_gas(scheme, 1. / 2)) << scheme;
  }
}

TEST(PositivityOfAStage, EndsInACellThatIsToldByItsPlaceInTheBoxTheFirstOfSeveral) {
  const Cube cube = left_by_six_neighbours({{6, 5, 5}, {2, 3, 1}});
  for (int scheme = 0; scheme < scheme_count; ++scheme)
    for (const int first_plane : {0, 20})
      EXPECT_EQ(cube.bad_cell(scheme, 1. / 2, Positivity::on, first_plane),
                2 + 8 * (3 + 8 * (1 + first_plane)))
          << scheme;
}

}  // namespace
}  // namespace tayra::testing
