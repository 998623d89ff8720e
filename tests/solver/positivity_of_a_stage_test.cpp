// What the positivity limiter promises of a stage: up to cfl 1/6 a gas stays a gas. Above that most flow
// does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "physics/claims.hpp"
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

  /// After one forward Euler stage, the dt of which these very states give.
  bool stays_a_gas(int scheme, double cfl, Positivity positivity = Positivity::on) const {
    const std::vector<PlaneBackground<double>> background(layout.nz + 2 * ghost_planes);
    std::vector<double> next(layout.size());
    StepClock clock;
    clock.dt = cfl / fastest_;
    sweep_on_cpu<double>({{layout,
                           0,
                           Beyond::periodic,
                           Beyond::periodic,
                           Boundary::periodic,
                           Boundary::periodic,
                           {{{1, 1, 1}}, 1},
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
    return clock.found.bad_cell == no_cell;
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
    const Claims& claims = all_claims()[scheme];
    EXPECT_EQ(broken_without_limiter[scheme] > 0, claims.wants_limiter)
        << claims.name << ": too tame to show anything, or wants_limiter is wrong";
  }
}

/// dt goes by the fastest cell, summed over axes; here no cell is fast along more than one.
TEST(PositivityOfAStage, EndsWhereSixNeighboursLeaveACell) {
  Cube cube(ratio);
  for (int z = 0; z < Cube::side; ++z)
    for (int y = 0; y < Cube::side; ++y)
      for (int x = 0; x < Cube::side; ++x) {
        const int from[]{x - 3, y - 3, z - 3};
        int distance = 0;
        for (const int steps : from) distance += std::abs(steps);
        Primitive cell{1, {}, 1e-6};
        if (distance == 1)
          for (int axis = 0; axis < 3; ++axis) cell.velocity[axis] = from[axis];
        cube.set(x, y, z, cell);
      }
  for (int scheme = 0; scheme < scheme_count; ++scheme) {
    EXPECT_TRUE(cube.stays_a_gas(scheme, 1. / 6)) << scheme;
    EXPECT_FALSE(cube.stays_a_gas(scheme, 1. / 2)) << scheme;
  }
}

}  // namespace
}  // namespace tayra::testing
