// The start of rm_multi: the states on both sides of its shock, how much of each gas there is, and what is
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

ProblemSetting setting_that_carries(std::array<int, 3> cells, Vec3 upper = {1, 1, 1}) {
  ProblemSetting setting = setting_of("rm_multi", cells, upper);
  setting.scalars = {"fraction"};
  return setting;
}

Primitive gas_at_height(const Problem& problem, const ProblemSetting& setting, double z) {
  return problem.initial(
      point_at(setting.grid, {0.5 * setting.grid.spacing(0), 0.5 * setting.grid.spacing(1), z}));
}

// As an example of pyranda has them, a code of one of the group's laboratories. In their frame the interface
// of an exact Riemann solution would not quite rest: all velocities are 0.079 lower.
TEST(RmMulti, StartsFromTheStatesOfTheThetaGroup) {
  const ProblemSetting setting = setting_that_carries({32, 32, 64}, {6.28, 6.28, 8.8});
  const auto problem = make_problem("rm_multi", setting,
                                    {{"mach", 1.8439},
                                     {"density_below", 3.},
                                     {"density_above", 1.},
                                     {"pressure", 1e5},
                                     {"interface", 3.5},
                                     {"shock", 3.},
                                     {"thickness", 0.05}});
  const Primitive shocked = gas_at_height(*problem, setting, 1);
  EXPECT_NEAR(shocked.density, 6.37497, 1e-5);
  EXPECT_NEAR(shocked.pressure, 399995.9, 0.1);
  EXPECT_NEAR(shocked.velocity[2], -61.48754, 0.1);
  const Primitive ahead = gas_at_height(*problem, setting, 3.1), above = gas_at_height(*problem, setting, 8);
  EXPECT_NEAR(shocked.velocity[2] - ahead.velocity[2], 291.575 - 61.48754, 1e-3);
  EXPECT_EQ(ahead.density, 3);
  EXPECT_EQ(above.density, 1);
  for (const Primitive& gas : {ahead, above}) {
    EXPECT_NEAR(gas.velocity[2], -291.575, 0.1);
    EXPECT_EQ(gas.pressure, 1e5);
  }
  EXPECT_EQ(shocked.scalars[0], 1);
  EXPECT_EQ(ahead.scalars[0], 1);
  EXPECT_EQ(above.scalars[0], 0);
}

// Wherever the interface lies between cell centres, and however thin it is.
TEST(RmMulti, HasAsMuchOfEachGasAsLiesOnItsSide) {
  const ProblemSetting setting = setting_that_carries({16, 16, 100});
  for (const double thickness : {0., 1e-3, 5e-3, 9.9e-3, 0.01, 0.05})
    for (const double interface : {0.5, 0.5037, 0.507}) {
      const auto problem = make_problem("rm_multi", setting,
                                        {{"interface", interface},
                                         {"shock", 0.1},
                                         {"amplitude", 0.},
                                         {"modes", whole({1, 2})},
                                         {"thickness", thickness}});
      double mass = 0, heavy = 0;
      for (int z = 20; z < 100; ++z) {
        const Primitive gas = problem->initial(setting.grid.point(3, 4, z));
        ASSERT_TRUE(is_gas(gas));
        mass += gas.density / 100;
        heavy += gas.density * gas.scalars[0] / 100;
      }
      EXPECT_NEAR(mass, interface - 0.2 + 3 * (1 - interface), 2e-5) << thickness << " " << interface;
      EXPECT_NEAR(heavy, 3 * (1 - interface), 2e-5) << thickness << " " << interface;
    }
}

// A rarefaction that runs up leaves u - 2 c / (gamma - 1) and the entropy as they are.
TEST(RmMulti, HasCalmGasThatARarefactionConnectsWithTheGasBelow) {
  const ProblemSetting setting = setting_that_carries({32, 32, 64}, {1, 1, 2});
  const auto problem = make_problem("rm_multi", setting, {{"mach", 2.}, {"calm_above", 1.2}});
  const Primitive ahead = gas_at_height(*problem, setting, 1.1), calm = gas_at_height(*problem, setting, 1.3);
  const auto invariant = [&](const Primitive& gas) {
    return gas.velocity[2] - 2 / (setting.gamma - 1) * std::sqrt(setting.gamma * gas.pressure / gas.density);
  };
  const auto entropy = [&](const Primitive& gas) {
    return gas.pressure / std::pow(gas.density, setting.gamma);
  };
  EXPECT_NEAR(invariant(calm), invariant(ahead), 1e-12);
  EXPECT_NEAR(entropy(calm), entropy(ahead), 1e-12);
  EXPECT_EQ(calm.velocity[2], 0);
  EXPECT_LT(ahead.velocity[2], -0.5);
}

TEST(RmMulti, TellsItsFluidsApartOnlyByAFractionThatIsCarried) {
  const ProblemSetting carrying = setting_that_carries({32, 32, 100});
  const auto layers = make_problem("rm_multi", carrying)->layers();
  ASSERT_TRUE(layers);
  EXPECT_EQ(layers->carried, 0);
  EXPECT_EQ(layers->density_ratio, 3);
  EXPECT_TRUE(layers->heavy_above);
  EXPECT_FALSE(make_problem("rm_multi", setting_of("rm_multi", {32, 32, 100}))->layers());
}

TEST(RmMulti, SaysWhichKeyCannotBe) {
  const ProblemSetting setting = setting_that_carries({32, 32, 64});
  const auto refused = [&](const Keys& keys) { return refusal("rm_multi", setting, keys); };
  EXPECT_THAT(refused({{"shock", 0.399}}),
              AllOf(StartsWith("shock: 0.399 is not below"), HasSubstr("lower the shock")));
  EXPECT_THAT(refused({{"shock", -0.1}}), AllOf(StartsWith("shock: "), HasSubstr("put it between")));
  EXPECT_THAT(refused({{"interface", 1.1}}), AllOf(StartsWith("interface: "), HasSubstr("lower it")));
  EXPECT_THAT(refused({{"density_above", 1.}}),
              AllOf(StartsWith("density_above: "), HasSubstr("give another")));
  EXPECT_THAT(refused({{"calm_above", 0.4}}), AllOf(StartsWith("calm_above: "), HasSubstr("raise it")));
  EXPECT_THAT(refused({{"modes", whole({8, 20})}}), AllOf(StartsWith("modes: "), HasSubstr("refine")));
}

}  // namespace
}  // namespace tayra::testing
