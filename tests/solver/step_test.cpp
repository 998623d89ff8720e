// What must hold for a whole step: uniform flow stays, sums are kept, time is third order, single follows
// double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/claims.hpp"
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
    EXPECT_EQ(limited_faces(end) > 0, settings.positivity && claims_of(settings.scheme).wants_limiter);
    EXPECT_GT(distance(end, start), 0.05) << "it should have moved";
    const auto before = sums_of(start.state, 120), after = sums_of(end.state, 120);
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(after[i], before[i], round_off * before[4])
          << "variable " << i << ", limiter " << (settings.positivity ? "on" : "off");
  }
}

INSTANTIATE_TEST_SUITE_P(All, StepOf, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

TEST(SinglePrecision, FollowsDoubleWithinItsRoundOff) {
  constexpr double round_off = 50 * 3 * 0x1p-24;  // one rounding a stage
  for (const auto& scheme : scheme_names()) {
    SolverSettings settings = trial_settings({scheme, Precision::double_}, {20, 16, 12}, all_boundaries()[1]);
    settings.fixed_dt = 0.004;
    const Trial exact = run_trial(settings, Tumult::smooth, 50);
    settings.precision = Precision::single;
    const double largest = std::abs(*std::max_element(exact.state.begin(), exact.state.end()));
    EXPECT_LT(distance(run_trial(settings, Tumult::smooth, 50), exact), round_off * largest) << scheme;
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
