// What must hold for a whole step: uniform flow stays, sums are kept, time is third order, single follows
// double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/traits_of.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

class UniformFlow final : public Problem {
 public:
  Primitive initial(const Point&) const override { return {1.3, {0.7, -0.3, 0.11}, 0.9}; }
};

class StepOf : public ::testing::TestWithParam<SchemeAndPrecision> {};

void expect_it_stays(const SolverSettings& settings, const Problem& problem) {
  const auto simulation = make_simulation(settings, problem);
  const auto [nx, ny, nz] = settings.grid.cells;
  std::vector<double> start(5 * std::size_t(nx) * ny * nz), end(start.size());
  simulation->read_planes(0, nz, start);
  simulation->advance(10, 1e300);
  ASSERT_EQ(simulation->finish().size(), 10u);
  simulation->read_planes(0, nz, end);
  EXPECT_EQ(start, end) << description(settings);
}

TEST_P(StepOf, UniformFlowThroughTheBoxStaysToTheLastBit) {
  for (const Boundary boundary : {Boundary::periodic, Boundary::outflow}) {
    SolverSettings settings = trial_settings(GetParam(), {9, 5, 6}, {boundary, boundary, boundary});
    settings.gravity = 0;
    expect_it_stays(settings, UniformFlow());
  }
}

class GasAtRest final : public Problem {
 public:
  Primitive initial(const Point&) const override { return {1.3, {}, 0.9}; }
};

TEST_P(StepOf, UniformGasAtRestStaysToTheLastBitBetweenAnyBoundaries) {
  for (const auto& boundary : all_boundaries()) {
    SolverSettings settings = trial_settings(GetParam(), {9, 5, 6}, boundary);
    settings.gravity = 0;
    expect_it_stays(settings, GasAtRest());
  }
}

TEST_P(StepOf, UniformGasThatNothingHoldsFallsFreely) {
  SolverSettings settings =
      trial_settings(GetParam(), {9, 5, 6}, {Boundary::periodic, Boundary::periodic, Boundary::outflow});
  settings.gravity = -2;
  const auto simulation = make_simulation(settings, GasAtRest());
  simulation->advance(10, 1e300);
  ASSERT_EQ(simulation->finish().size(), 10u);
  const double speed = -2 * simulation->time();
  const std::array<double, 5> fallen{1.3, 0, 0, 1.3 * speed,
                                     0.9 / (settings.gamma - 1) + 0.5 * 1.3 * speed * speed};
  std::vector<double> state(5 * 9 * 5 * 6);
  simulation->read_planes(0, 6, state);
  for (std::size_t i = 0; i < state.size(); ++i)
    ASSERT_NEAR(state[i], fallen[i / 45 % 5], GetParam().precision == Precision::single ? 1e-5 : 1e-13) << i;
}

std::array<double, 5> sums_of(const std::vector<double>& state, std::size_t plane_cells) {
  std::array<double, 5> sums{};
  for (std::size_t i = 0; i < state.size(); ++i) sums[i / plane_cells % 5] += state[i];
  return sums;
}

/// Largest difference of any number.
double distance(const Trial& one, const Trial& other) {
  double most = 0;
  for (std::size_t i = 0; i < one.state.size(); ++i)
    most = std::max(most, std::abs(one.state[i] - other.state[i]));
  return most;
}

// Violent flow is no gas any more without the limiter, and smooth flow gives it no work.
TEST_P(StepOf, FlowInAPeriodicBoxKeepsEverySumLimitedFacesOrNot) {
  SolverSettings settings = trial_settings(GetParam(), {12, 10, 8}, all_boundaries().front());
  const double round_off = GetParam().precision == Precision::single ? 1e-5 : 1e-13;
  for (const Tumult tumult : {Tumult::violent, Tumult::smooth}) {
    settings.positivity = tumult == Tumult::violent;
    const Trial start = run_trial(settings, tumult, 0), end = run_trial(settings, tumult, 50);
    EXPECT_EQ(limited_faces(end) > 0, settings.positivity && traits_of(settings.scheme).wants_limiter);
    EXPECT_GT(distance(end, start), 0.05) << "it should have moved";
    const auto before = sums_of(start.state, 120), after = sums_of(end.state, 120);
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(after[i], before[i], round_off * before[4])
          << "variable " << i << ", limiter " << (settings.positivity ? "on" : "off");
  }
}

TEST_P(StepOf, FlowOverABackgroundInAClosedBoxKeepsMassAndEnergy) {
  const std::array walls{Boundary::mirror, Boundary::mirror, Boundary::mirror};
  const SolverSettings settings = trial_settings(GetParam(), {8, 6, 10}, walls);
  ASSERT_NE(settings.gravity, 0);
  const auto mass_and_energy = [&](const Trial& trial) {
    std::array<double, 2> sums{};
    for (int z = 0; z < 10; ++z)
      for (int i = 0; i < 48; ++i) {
        const double density = trial.state[z * 5 * 48 + i], energy = trial.state[(z * 5 + 4) * 48 + i];
        sums[0] += density;
        sums[1] += energy - settings.gravity * settings.grid.centre(2, z) * density;
      }
    return sums;
  };
  const double round_off = GetParam().precision == Precision::single ? 1e-5 : 1e-13;
  for (const Tumult tumult : {Tumult::violent, Tumult::smooth}) {
    const Trial start = run_trial(settings, tumult, 0), end = run_trial(settings, tumult, 30);
    EXPECT_GT(distance(end, start), 0.05) << "it should have moved";
    const auto before = mass_and_energy(start), after = mass_and_energy(end);
    EXPECT_NEAR(after[0], before[0], round_off * before[0]);
    EXPECT_NEAR(after[1], before[1], round_off * before[1]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StepOf, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

TEST(SinglePrecision, FollowsDoubleWithinItsRoundOff) {
  constexpr double round_off = 50 * 3 * 0x1p-24;  // one rounding a stage
  for (const auto& [scheme, traits] : all_schemes()) {
    SolverSettings settings = trial_settings({scheme, Precision::double_}, {20, 16, 12}, all_boundaries()[1]);
    settings.fixed_dt = 0.004;
    const Trial exact = run_trial(settings, Tumult::smooth, 50);
    settings.precision = Precision::single;
    const double largest = std::abs(*std::max_element(exact.state.begin(), exact.state.end()));
    // A cell at the bound of what is smooth may be limited in one precision and not in the other.
    const double allowed = traits.captures_shocks ? 3 * round_off : round_off;
    EXPECT_LT(distance(run_trial(settings, Tumult::smooth, 50), exact), allowed * largest) << scheme;
  }
}

/// The sum over axes of (|u| + c) / spacing.
double fastest_signal(const std::vector<double>& state, const SolverSettings& settings) {
  const auto [nx, ny, nz] = settings.grid.cells;
  const std::size_t plane = std::size_t(nx) * ny;
  double fastest = 0;
  for (std::size_t cell = 0; cell < plane * nz; ++cell) {
    const auto word = [&](int v) { return state[(cell / plane * 5 + v) * plane + cell % plane]; };
    const double density = word(0);
    double kinetic = 0;
    for (int axis = 0; axis < 3; ++axis) kinetic += 0.5 * word(1 + axis) * word(1 + axis) / density;
    const double sound = std::sqrt(settings.gamma * (settings.gamma - 1) * (word(4) - kinetic) / density);
    double rate = 0;
    for (int axis = 0; axis < 3; ++axis)
      rate += (std::abs(word(1 + axis) / density) + sound) / settings.grid.spacing(axis);
    fastest = std::max(fastest, rate);
  }
  return fastest;
}

TEST(TimeStepping, TakesEveryStepAsLongAsTheFastestSignalAnywhereAllows) {
  for (const Tumult tumult : {Tumult::smooth, Tumult::violent})
    for (const int slabs : {1, 3}) {
      SolverSettings settings =
          trial_settings({"muscl", Precision::double_}, {9, 7, 12}, all_boundaries()[2]);
      settings.gravity = -1;
      settings.slabs = slabs;
      const auto simulation = make_simulation(settings, Waves3d(tumult, true));
      std::vector<double> state(5 * 9 * 7 * 12);
      for (int step = 0; step < 4; ++step) {
        simulation->read_planes(0, 12, state);
        simulation->advance(1, 1e300);
        const double dt = simulation->finish().at(0).dt;
        EXPECT_NEAR(dt * fastest_signal(state, settings) / settings.cfl, 1, 1e-10) << "step " << step;
      }
    }
}

/// After time 0.12, on a grid that is the same for any number of steps.
Trial in_steps(int steps) {
  SolverSettings settings =
      trial_settings({"upwind3", Precision::double_}, {16, 4, 4}, all_boundaries().front());
  settings.fixed_dt = 0.12 / steps;
  return run_trial(settings, Tumult::smooth, steps);
}

TEST(TimeStepping, IsOfThirdOrder) {
  const Trial reference = in_steps(320);
  const double coarse = distance(in_steps(5), reference), fine = distance(in_steps(10), reference);
  EXPECT_GT(coarse, 1e-9) << "too small to tell";
  EXPECT_NEAR(std::log2(coarse / fine), 3, 0.2);
}

}  // namespace
}  // namespace tayra::testing
