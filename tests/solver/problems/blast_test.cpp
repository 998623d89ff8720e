// How much energy blast releases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

TEST(Blast, SetsFreeItsEnergyOnAnyGrid) {
  for (const std::array<int, 3> cells : {std::array{20, 20, 20}, std::array{17, 33, 24}}) {
    const ProblemSetting setting = setting_of("blast", cells);
    const auto problem =
        make_problem("blast", setting, {{"energy", 2.5}, {"radius", 0.12}, {"pressure", 0.01}});
    double energy = 0;
    for (int z = 0; z < cells[2]; ++z)
      for (int y = 0; y < cells[1]; ++y)
        for (int x = 0; x < cells[0]; ++x)
          energy += (problem->initial(setting.grid.point(x, y, z)).pressure - 0.01) / (setting.gamma - 1);
    EXPECT_NEAR(energy / (cells[0] * cells[1] * cells[2]), 2.5, 1e-12);
  }
  for (const double radius : {0.01, 5.})
    EXPECT_THAT(refusal("blast", setting_of("blast", {20, 20, 20}), {{"radius", radius}}),
                ::testing::StartsWith("radius: "));
}

}  // namespace
}  // namespace tayra::testing
