// Exact solutions against the Euler equations they claim to solve, and against what their keys say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "solver/problem_maker.hpp"
#include "solver/problems/right_going_wave.hpp"

namespace tayra::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Conserved = std::array<double, 5>;

Conserved conserved(const Primitive& gas, double gamma) {
  const Vec3& u = gas.velocity;
  const double kinetic = 0.5 * gas.density * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  return {gas.density, gas.density * u[0], gas.density * u[1], gas.density * u[2],
          gas.pressure / (gamma - 1) + kinetic};
}

Conserved flux(const Primitive& gas, double gamma, int axis) {
  Conserved f = conserved(gas, gamma);
  for (double& part : f) part *= gas.velocity[axis];
  f[1 + axis] += gas.pressure;
  f[4] += gas.pressure * gas.velocity[axis];
  return f;
}

/// dU/dt + div F by sixth-order differences.
Conserved residual(const Problem& problem, const ProblemSetting& setting, const Vec3& at, double time) {
  constexpr double h = 5e-4;
  constexpr std::array<double, 3> weight{45. / 60, -9. / 60, 1. / 60};
  const auto gas = [&](const Vec3& position, double t) {
    return *problem.exact(point_at(setting.grid, position), t);
  };
  Conserved sum{};
  const auto add = [&](int steps, double factor, const Conserved& change) {
    for (int i = 0; i < 5; ++i) sum[i] += (steps > 0 ? factor : -factor) / h * change[i];
  };
  for (const int steps : {-3, -2, -1, 1, 2, 3}) {
    const double factor = weight[std::abs(steps) - 1];
    add(steps, factor, conserved(gas(at, time + steps * h), setting.gamma));
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 beside = at;
      beside[axis] += steps * h;
      add(steps, factor, flux(gas(beside, time), setting.gamma, axis));
    }
  }
  return sum;
}

/// A smooth solution, and how well differences of it can tell that it is one.
struct SmoothSolution {
  std::string problem;
  Keys keys;
  double time, tolerance;
};

const std::vector<SmoothSolution> smooth_solutions{
    {"entropy_wave", {}, 0.3, 1e-11},
    {"acoustic_wave", {{"velocity", std::vector<double>{0.3, -0.2, 0.5}}}, 0.7, 1e-11},
    {"simple_wave", {{"velocity", std::vector<double>{0.3, -0.2, 0.5}}}, 0.12, 1e-7},
    {"simple_wave", {{"direction", whole({1, 0, -2})}}, 0.1, 1e-7},
    {"vortex", {{"axis", text("x")}}, 0.4, 1e-9},
    {"vortex", {{"axis", text("y")}}, 0.4, 1e-9},
    {"vortex", {{"axis", text("z")}}, 0.4, 1e-9}};

/// Problems whose solutions differences say nothing of, and what tests hold them against the equations.
const std::map<std::string, std::string> checked_elsewhere{
    {"hydrostatic", "the background: ProblemRegistry.NamesBackgroundsInHydrostaticBalance"},
    {"shock_tube", "it jumps: tests/physics/exact_riemann_test.cpp"}};

TEST(ExactSolutions, SolveTheEulerEquations) {
  for (const auto& [name, keys, time, tolerance] : smooth_solutions) {
    ProblemSetting setting = setting_of(name, {8, 8, 8}, {1, 1.2, 0.9});
    setting.gamma = 1.4;
    const auto problem = make_problem(name, setting, keys);
    for (int i = 0; i < 40; ++i) {
      const Vec3 at{std::fmod(0.37 + 0.217 * i, 1.), std::fmod(0.11 + 0.331 * i, 1.2),
                    std::fmod(0.05 + 0.143 * i, 0.9)};
      for (const double part : residual(*problem, setting, at, time)) EXPECT_NEAR(part, 0, tolerance) << name;
    }
  }
}

TEST(ExactSolutions, AreCheckedWhereverAProblemHasOne) {
  std::set<std::string> checked;
  for (const SmoothSolution& solution : smooth_solutions) checked.insert(solution.problem);
  for (const auto& [name, how] : checked_elsewhere) checked.insert(name);
  for (const ProblemEntry& entry : problem_registry()) {
    const ProblemSetting setting = setting_of(entry.name, {20, 24, 18});
    const auto problem = make_problem(entry.name, setting);
    EXPECT_EQ(problem->exact(setting.grid.point(0, 0, 0), 0).has_value(), checked.contains(entry.name))
        << entry.name << ": has it an exact solution, and do smooth_solutions or checked_elsewhere name it?";
  }
}

/// Else they would jump where a periodic box begins again.
TEST(WaveProblems, FitABoxOfAnyShape) {
  for (const char* name : {"entropy_wave", "acoustic_wave", "simple_wave"}) {
    const ProblemSetting setting = setting_of(name, {8, 8, 8}, {1, 1.2, 0.9});
    const auto problem = make_problem(name, setting, {{"direction", whole({1, -2, 1})}});
    const Vec3 here{0.31, 0.22, 0.13};
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 beyond = here;
      beyond[axis] += setting.grid.length(axis);
      EXPECT_NEAR(problem->initial(point_at(setting.grid, beyond)).density,
                  problem->initial(point_at(setting.grid, here)).density, 1e-13)
          << name << " along "
          << "xyz"[axis];
    }
  }
}

TEST(WaveProblems, HaveASpeedOfSoundOfOneAtRest) {
  for (const char* name : {"entropy_wave", "acoustic_wave", "simple_wave"}) {
    ProblemSetting setting = setting_of(name, {8, 8, 8});
    setting.gamma = 1.4;
    const Primitive gas = make_problem(name, setting)->initial(point_at(setting.grid, {0.5, 0.5, 0.5}));
    EXPECT_NEAR(gas.density, 1, 1e-14) << name;
    EXPECT_NEAR(1.4 * gas.pressure, 1, 1e-14) << name;
  }
}

TEST(SimpleWave, BreaksWhenCharacteristicsCross) {
  const ProblemSetting setting = setting_of("simple_wave", {8, 8, 8});
  const auto problem =
      make_problem("simple_wave", setting, {{"direction", whole({1, 0, 0})}, {"amplitude", 0.3}});
  const double expected = 2 / ((5. / 3 + 1) * 0.3 * 2 * std::numbers::pi);
  EXPECT_NEAR(dynamic_cast<const RightGoingWave&>(*problem).breaking_time(), expected, 1e-14);
  EXPECT_TRUE(problem->exact(setting.grid.point(0, 0, 0), 0.999 * expected).has_value());
  EXPECT_FALSE(problem->exact(setting.grid.point(0, 0, 0), 1.001 * expected).has_value());
}

TEST(SimpleWave, HasOneEntropyAndOneInvariantEverywhere) {
  const ProblemSetting setting = setting_of("simple_wave", {16, 4, 4});
  const auto problem = make_problem("simple_wave", setting, {{"direction", whole({1, 0, 0})}});
  for (int x = 0; x < 16; ++x) {
    const Primitive gas = *problem->exact(setting.grid.point(x, 0, 0), 0.35);
    EXPECT_NEAR(gas.pressure / std::pow(gas.density, 5. / 3), 0.6, 1e-14);
    EXPECT_NEAR(gas.velocity[0] - 3 * std::sqrt(5. / 3 * gas.pressure / gas.density), -3, 1e-13);
  }
}

TEST(WaveProblems, RefuseWhatIsImpossibleAndNameTheKey) {
  ProblemSetting setting = setting_of("simple_wave", {8, 8, 8});
  EXPECT_THAT(refusal("simple_wave", setting, {{"direction", whole({0, 0, 0})}}), StartsWith("direction: "));
  EXPECT_THAT(refusal("entropy_wave", setting, {{"direction", whole({1, -3, 0})}}),
              StartsWith("direction: 3 waves along y"));
  setting.gamma = 5;
  EXPECT_THAT(refusal("simple_wave", setting, {{"amplitude", 0.6}}), StartsWith("amplitude: "));
  setting.grid.boundary[1] = Boundary::mirror;
  EXPECT_THAT(refusal("entropy_wave", setting, {}), HasSubstr("grid.boundary.y"));
  EXPECT_EQ(refusal("simple_wave", setting, {{"direction", whole({1, 0, 0})}}), "accepted");
}

TEST(Vortex, ReturnsAfterOnePassage) {
  const ProblemSetting setting = setting_of("vortex", {16, 16, 4});
  const auto problem = make_problem("vortex", setting, {{"velocity", std::vector<double>{0.5, 0.25}}});
  for (int x = 0; x < 16; ++x) {
    const Point point = setting.grid.point(x, 5, 0);
    EXPECT_NEAR(problem->exact(point, 4)->density, problem->initial(point).density, 1e-14);
  }
}

TEST(Vortex, ReturnsAfterOnePassageAlongEitherSideOfABoxThatIsNotSquare) {
  ProblemSetting setting = setting_of("vortex", {32, 16, 4});
  setting.grid.upper[0] = setting.grid.lower[0] + 2 * setting.grid.length(1);
  const double sides[]{setting.grid.length(0), setting.grid.length(1)};
  for (const int axis : {0, 1}) {
    std::vector<double> velocity{0, 0};
    velocity[axis] = 0.25;
    const auto problem = make_problem("vortex", setting, {{"velocity", velocity}});
    for (int x = 0; x < 32; ++x) {
      const Point point = setting.grid.point(x, 5, 0);
      EXPECT_NEAR(problem->exact(point, sides[axis] / 0.25)->density, problem->initial(point).density, 1e-14);
    }
  }
}

TEST(Vortex, IsCarriedAsItsKeySaysInTheOrderOfTheAxes) {
  const ProblemSetting setting = setting_of("vortex", {16, 16, 16});
  const auto far_from = [&](const char* axis) {
    const Keys keys{{"axis", text(axis)}, {"velocity", std::vector<double>{0.5, 0.25}}, {"radius", 0.2}};
    return make_problem("vortex", setting, keys)->initial(setting.grid.point(0, 0, 0)).velocity;
  };
  EXPECT_EQ(far_from("z"), (Vec3{0.5, 0.25, 0}));
  EXPECT_EQ(far_from("x"), (Vec3{0, 0.5, 0.25}));
}

TEST(Vortex, SwirlsAsFastAsStatedAndRestsOutside) {
  const ProblemSetting setting = setting_of("vortex", {401, 401, 4});
  const auto problem = make_problem(
      "vortex", setting, {{"velocity", std::vector<double>{0, 0}}, {"radius", 0.4}, {"strength", 0.7}});
  double fastest = 0;
  for (int x = 0; x < 401; ++x)
    fastest = std::max(fastest, problem->initial(setting.grid.point(x, 200, 0)).velocity[1]);
  EXPECT_NEAR(fastest, 0.7, 1e-4);
  const Primitive outside = problem->initial(setting.grid.point(10, 200, 0));
  EXPECT_EQ(outside.velocity, (Vec3{0, 0, 0}));
  EXPECT_EQ(outside.density, 1);
}

TEST(Vortex, RefusesWhatIsImpossibleAndNamesTheKey) {
  const ProblemSetting setting = setting_of("vortex", {16, 16, 16});
  EXPECT_THAT(refusal("vortex", setting, {{"radius", 0.51}}), StartsWith("radius: "));
  EXPECT_THAT(refusal("vortex", setting, {{"radius", 0.12}}),
              StartsWith("radius: 0.12 is less than two cells"));
  EXPECT_THAT(refusal("vortex", setting, {{"strength", 3.}}), StartsWith("strength: "));
}

TEST(ShockTube, IsTheSameAlongEveryAxis) {
  const ProblemSetting setting = setting_of("shock_tube", {24, 24, 24});
  const auto along_x = make_problem("shock_tube", setting, {{"left.velocity", 0.4}, {"position", 0.3}});
  const auto along_z =
      make_problem("shock_tube", setting, {{"axis", text("z")}, {"left.velocity", 0.4}, {"position", 0.3}});
  for (int i = 0; i < 24; ++i)
    for (const double time : {0., 0.2}) {
      const Primitive x = *along_x->exact(setting.grid.point(i, 3, 5), time);
      const Primitive z = *along_z->exact(setting.grid.point(3, 5, i), time);
      EXPECT_EQ(x.density, z.density);
      EXPECT_EQ(x.pressure, z.pressure);
      EXPECT_EQ(x.velocity[0], z.velocity[2]);
      EXPECT_EQ(z.velocity[0], 0);
    }
  EXPECT_THAT(refusal("shock_tube", setting, {{"position", 1.}}), StartsWith("position: "));
}

TEST(ShockTube, HasItsMembraneWhereItsKeySaysWhereverTheBoxLies) {
  ProblemSetting setting = setting_of("shock_tube", {24, 24, 24});
  setting.grid.lower = {-1, 0, 0};
  setting.grid.upper = {2, 1, 1};
  for (const double position : {-0.7, 0.5, 1.9}) {
    const auto problem = make_problem("shock_tube", setting, {{"position", position}});
    const auto at = [&](double x) { return problem->initial(point_at(setting.grid, {x, 0.3, 0.3})); };
    EXPECT_EQ(at(position - 1e-9).pressure, 1);
    EXPECT_EQ(at(position + 1e-9).pressure, 0.1);
  }
}

}  // namespace
}  // namespace tayra::testing
