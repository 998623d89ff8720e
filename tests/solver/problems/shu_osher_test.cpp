// The start of shu_osher against the shock relations, in boxes of any length.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

TEST(ShuOsher, IsAMach3ShockThatRunsIntoADensityWave) {
  ProblemSetting setting = setting_of("shu_osher", {400, 4, 4});
  setting.grid.upper = {10, 1, 1};
  const auto problem = make_problem("shu_osher", setting);
  const auto at = [&](double x) { return problem->initial(point_at(setting.grid, {x + 5, 0.5, 0.5})); };
  const Primitive behind = at(-4.5);
  const double shock_speed = 3 * std::sqrt(1.4);  // into gas of density 1, pressure 1 at rest
  EXPECT_NEAR(behind.density * (shock_speed - behind.velocity[0]), shock_speed, 1e-5);
  EXPECT_NEAR(behind.pressure, 1 + shock_speed * behind.velocity[0], 1e-5);
  EXPECT_NEAR(at(1.3).density, 1 + 0.2 * std::sin(6.5), 1e-14);
  EXPECT_EQ(at(1.3).pressure, 1);
}

TEST(ShuOsher, StartsItsShockAtATenthOfABoxOfAnyLengthAndScalesTheDensityWave) {
  for (const double length : {0.5, 1., 10.}) {
    const ProblemSetting setting = setting_of("shu_osher", {400, 4, 4}, {length, 1, 1});
    const auto problem = make_problem("shu_osher", setting);
    const auto at = [&](double x) {
      return problem->initial(point_at(setting.grid, {x * length, 0.5, 0.5}));
    };
    EXPECT_GT(at(0.0999).pressure, 10) << length;
    EXPECT_EQ(at(0.1001).pressure, 1) << length;
    EXPECT_NEAR(at(0.63).density, 1 + 0.2 * std::sin(6.5), 1e-13) << length;
  }
}

}  // namespace
}  // namespace tayra::testing
