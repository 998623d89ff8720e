// The start of kelvin_helmholtz against the published one, in any box.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

TEST(KelvinHelmholtz, IsThePublishedSetUp) {
  const ProblemSetting setting = setting_of("kelvin_helmholtz", {40, 40, 4});
  const auto problem = make_problem("kelvin_helmholtz", setting);
  const auto at = [&](double x, double y) { return problem->initial(point_at(setting.grid, {x, y, 0.5})); };
  EXPECT_NEAR(at(0.125, 0.2).density, 1 + 0.5 * std::exp(-0.05 / 0.025), 1e-14);
  EXPECT_NEAR(at(0.125, 0.3).density, 2 - 0.5 * std::exp(-0.05 / 0.025), 1e-14);
  EXPECT_NEAR(at(0.125, 0.7).velocity[0], -0.5 + 0.5 * std::exp(-0.05 / 0.025), 1e-14);
  EXPECT_NEAR(at(0.125, 0.8).velocity[0], 0.5 - 0.5 * std::exp(-0.05 / 0.025), 1e-14);
  EXPECT_NEAR(at(0.125, 0.5).velocity[1], 0.01, 1e-14);
  EXPECT_EQ(at(0.125, 0.5).pressure, 2.5);
}

TEST(KelvinHelmholtz, FillsABoxOfAnyShapeThatLiesAnywhere) {
  const ProblemSetting unit = setting_of("kelvin_helmholtz", {40, 40, 4});
  ProblemSetting other = setting_of("kelvin_helmholtz", {40, 40, 4});
  other.grid.lower = {-1, 4, 0};
  other.grid.upper = {1, 7, 1};
  const auto in_unit = make_problem("kelvin_helmholtz", unit),
             in_other = make_problem("kelvin_helmholtz", other);
  for (double share = 0.03; share < 1; share += 0.09) {
    const Primitive expected = in_unit->initial(point_at(unit.grid, {share, 0.8 * share, 0.5}));
    const Primitive gas = in_other->initial(point_at(other.grid, {-1 + 2 * share, 4 + 3 * 0.8 * share, 0.5}));
    EXPECT_NEAR(gas.density, expected.density, 1e-13);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(gas.velocity[axis], expected.velocity[axis], 1e-13);
  }
}

}  // namespace
}  // namespace tayra::testing
