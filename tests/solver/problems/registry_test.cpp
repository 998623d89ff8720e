// The table of problems as a whole: names, keys, starts, and what is independent of the grid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "solver/problem_maker.hpp"

namespace tayra::testing {
namespace {

/// By these names users' configs ask for them.
TEST(ProblemRegistry, HoldsTheProblemsOfTheContract) {
  for (const char* name :
       {"rt_single", "rt_multi", "hydrostatic", "entropy_wave", "acoustic_wave", "simple_wave", "vortex",
        "shock_tube", "shu_osher", "blast", "kelvin_helmholtz", "formula", "file", "rt_surface", "rm_multi"})
    EXPECT_NE(find_problem(name), nullptr) << name;
}

TEST(ProblemRegistry, HasNamesThatFindTheirOwnProblem) {
  for (const ProblemEntry& entry : problem_registry()) {
    EXPECT_EQ(find_problem(entry.name), &entry) << entry.name << " is the name of two";
    EXPECT_THAT(entry.name, ::testing::MatchesRegex("[a-z][a-z0-9_]*"));
  }
}

TEST(ProblemRegistry, FindsByNameAndNothingElse) {
  EXPECT_EQ(find_problem("blast")->name, "blast");
  EXPECT_EQ(find_problem("blas"), nullptr);
  EXPECT_EQ(find_problem(""), nullptr);
}

TEST(ProblemRegistry, SaysWhatEveryProblemAndKeyMeans) {
  for (const ProblemEntry& entry : problem_registry()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    std::set<std::string> names;
    const auto own = entry.keys();
    const ProblemSetting setting;
    for_each_key(section("", own->keys(setting)), [&](const std::string& path, const Key& key) {
      EXPECT_FALSE(key.meaning.empty()) << entry.name << " " << path;
      EXPECT_TRUE(names.insert(path).second) << entry.name << " has " << path << " twice";
    });
  }
}

/// But about a plane where another fluid begins, where cells have means of both.
TEST(ProblemRegistry, NamesBackgroundsInHydrostaticBalance) {
  constexpr double gravity = -0.3, apart = 1e-4;
  int balanced = 0;
  for (const ProblemEntry& entry : problem_registry()) {
    if (!needs_nothing(entry)) continue;
    ProblemSetting setting = setting_of(entry.name, {64, 64, 128}, {1, 1, 2});
    setting.gravity = gravity;
    const auto problem = make_problem(entry.name, setting);
    const auto at = [&](double z) { return problem->background(z); };
    const double cells = 2 * setting.grid.spacing(2);
    for (double z = 0.0513; z < 1.95; z += 0.05) {
      const double density = at(z).density;
      if (density == 0 || std::abs(at(z + cells).density - at(z - cells).density) > 0.05 * density) continue;
      EXPECT_NEAR((at(z + apart).pressure - at(z - apart).pressure) / (2 * apart), density * gravity, 1e-6)
          << entry.name << " at " << z;
      ++balanced;
    }
  }
  EXPECT_GT(balanced, 90) << "of three problems at least";
}

TEST(ProblemRegistry, HasDefaultsThatGiveAGasInEveryCell) {
  for (const ProblemEntry& entry : problem_registry()) {
    if (!needs_nothing(entry)) continue;
    const ProblemSetting setting = setting_of(entry.name, {20, 24, 18}, {1, 1, 2});
    const auto problem = make_problem(entry.name, setting);
    for (int z = 0; z < 18; ++z)
      for (int y = 0; y < 24; ++y)
        for (int x = 0; x < 20; ++x)
          ASSERT_TRUE(is_gas(problem->initial(setting.grid.point(x, y, z)))) << entry.name;
  }
}

TEST(ProblemRegistry, MakesTheSameStartEveryTime) {
  for (const ProblemEntry& entry : problem_registry()) {
    if (!needs_nothing(entry)) continue;
    const ProblemSetting setting = setting_of(entry.name, {20, 24, 18});
    const auto one = make_problem(entry.name, setting);
    const auto other = make_problem(entry.name, setting);
    // In opposite orders, so that no state is carried from cell to cell.
    std::vector<double> forth, back;
    for (int i = 0; i < 18; ++i) forth.push_back(one->initial(setting.grid.point(i, i, i)).density);
    for (int i = 17; i >= 0; --i) back.push_back(other->initial(setting.grid.point(i, i, i)).density);
    std::reverse(back.begin(), back.end());
    EXPECT_EQ(forth, back) << entry.name;
  }
}

}  // namespace
}  // namespace tayra::testing
