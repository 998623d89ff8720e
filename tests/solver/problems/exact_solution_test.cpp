// Problems with exact solutions: these against the Euler equations that they claim to solve, and starts
// against what their keys say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/exact_solutions.hpp"

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
Conserved residual(const MovingStart& exact, const Problem& problem, const ProblemSetting& setting,
                   const Vec3& at, double time) {
  constexpr double h = 5e-4;
  constexpr std::array<double, 3> weight{45. / 60, -9. / 60, 1. / 60};
  const auto gas = [&](const Vec3& position, double t) {
    return exact.at(problem, setting, point_at(setting.grid, position), t);
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

TEST(ExactSolutions, SolveTheEulerEquations) {
  /// A smooth solution, and how well differences of it can tell that it is one.
  struct Case {
    std::string problem;
    Keys keys;
    MovingStart exact;
    double time, tolerance;
  };
  const Keys drifting{{"velocity", std::vector<double>{0.3, -0.2, 0.5}}};
  for (const auto& [name, keys, exact, time, tolerance] :
       {Case{"entropy_wave", {}, {false, {1, 1, 1}}, 0.3, 1e-11},
        {"acoustic_wave", drifting, {true, {0.3, -0.2, 0.5}}, 0.7, 1e-11},
        {"simple_wave", drifting, {true, {0.3, -0.2, 0.5}}, 0.12, 1e-7},
        {"simple_wave", {{"direction", whole({1, 0, -2})}}, {true, {0, 0, 0}, {1, 0, -2}}, 0.1, 1e-7},
        {"vortex", {{"axis", text("x")}}, {false, {0, 0.5, 0.25}}, 0.4, 1e-9},
        {"vortex", {{"axis", text("y")}}, {false, {0.25, 0, 0.5}}, 0.4, 1e-9},
        {"vortex", {{"axis", text("z")}}, {false, {0.5, 0.25, 0}}, 0.4, 1e-9}}) {
    ProblemSetting setting = setting_of(name, {8, 8, 8}, {1, 1.2, 0.9});
    setting.gamma = 1.4;
    const auto problem = make_problem(name, setting, keys);
    for (int i = 0; i < 40; ++i) {
      const Vec3 at{std::fmod(0.37 + 0.217 * i, 1.), std::fmod(0.11 + 0.331 * i, 1.2),
                    std::fmod(0.05 + 0.143 * i, 0.9)};
      for (const double part : residual(exact, *problem, setting, at, time))
        EXPECT_NEAR(part, 0, tolerance) << name;
    }
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

TEST(SimpleWave, HasOneEntropyAndOneInvariantEverywhere) {
  const ProblemSetting setting = setting_of("simple_wave", {16, 4, 4});
  const auto problem = make_problem("simple_wave", setting, {{"direction", whole({1, 0, 0})}});
  for (int x = 0; x < 16; ++x) {
    const Primitive gas = problem->initial(setting.grid.point(x, 0, 0));
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
  for (int i = 0; i < 24; ++i) {
    const Primitive x = along_x->initial(setting.grid.point(i, 3, 5));
    const Primitive z = along_z->initial(setting.grid.point(3, 5, i));
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
