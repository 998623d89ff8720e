// What the flow carries: fractions that stay what they are where nothing mixes, between 0 and 1, and as much
// in all as there was.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "io/diagnostics_log.hpp"
#include "solver/flow.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

class Carried : public ::testing::TestWithParam<SchemeAndPrecision> {};

/// Numbers of a variable of all cells.
std::vector<double> of_variable(const Trial& trial, int variable, const SolverSettings& settings) {
  const auto [nx, ny, nz] = settings.grid.cells;
  const std::size_t plane = std::size_t(nx) * ny, variables = 5 + settings.scalars.size();
  std::vector<double> numbers;
  for (int z = 0; z < nz; ++z) {
    const auto from = trial.state.begin() + static_cast<std::ptrdiff_t>((z * variables + variable) * plane);
    numbers.insert(numbers.end(), from, from + static_cast<std::ptrdiff_t>(plane));
  }
  return numbers;
}

SolverSettings carrying(SolverSettings settings, std::size_t count) {
  const std::vector<std::string> names{"one", "two", "three", "four"};
  settings.scalars.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
  return settings;
}

TEST_P(Carried, ConstantsStayToTheLastBitAndFractionsWithinZeroAndOneInViolentFlow) {
  std::uint64_t limited = 0;
  for (const auto& boundary : all_boundaries()) {
    const SolverSettings settings = carrying(trial_settings(GetParam(), {19, 14, 17}, boundary), 3);
    const Trial trial = run_trial(settings, Tumult::violent, 60);
    limited += limited_faces(trial);
    const double constant = settings.precision == Precision::single ? double(float(Waves3d::constant_scalar))
                                                                    : Waves3d::constant_scalar;
    for (const double fraction : of_variable(trial, 5, settings)) ASSERT_EQ(fraction, constant);
    for (const int variable : {6, 7}) {
      const auto fractions = of_variable(trial, variable, settings);
      const auto [least, most] = std::minmax_element(fractions.begin(), fractions.end());
      EXPECT_GE(*least, 0) << description(settings);
      EXPECT_LE(*most, 1) << description(settings);
      EXPECT_GT(*most - *least, 0.2) << "some is mixed, but not all";
    }
  }
  EXPECT_GT(limited, 0u) << "fluxes should have been limited, too";
}

TEST_P(Carried, AreTheSameToTheLastBitHoweverTheBoxIsCut) {
  const std::array<std::array<int, 3>, 3> grids{{{4, 21, 14}, {135, 4, 15}, {11, 9, 17}}};
  const auto boundaries = all_boundaries();
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    SolverSettings settings =
        carrying(trial_settings(GetParam(), grids[i % grids.size()], boundaries[i]), 1 + i % 4);
    const Trial alone = run_trial(settings, Tumult::violent, 20);
    for (const int slabs : {2, 3, 7}) {
      settings.slabs = slabs;
      expect_same(run_trial(settings, Tumult::violent, 20), alone, description(settings));
    }
  }
}

TEST_P(Carried, LeaveTheFlowAsItIs) {
  const SolverSettings without = trial_settings(GetParam(), {19, 14, 17}, all_boundaries()[1]);
  const SolverSettings with = carrying(without, 2);
  const Trial one = run_trial(without, Tumult::violent, 20), other = run_trial(with, Tumult::violent, 20);
  for (int variable = 0; variable < 5; ++variable)
    EXPECT_EQ(of_variable(one, variable, without), of_variable(other, variable, with));
}

INSTANTIATE_TEST_SUITE_P(All, Carried, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

TEST(CarriedMass, IsInAllWhatItWasInAClosedBox) {
  using enum Boundary;
  for (const auto& boundary :
       {std::array{periodic, periodic, periodic}, std::array{mirror, mirror, mirror}}) {
    const SolverSettings settings =
        carrying(trial_settings({"muscl", Precision::double_}, {24, 20, 28}, boundary), 3);
    const auto carried = [&](int steps) {
      const Trial trial = run_trial(settings, Tumult::violent, steps);
      const auto density = of_variable(trial, 0, settings), fraction = of_variable(trial, 6, settings);
      double sum = 0;
      for (std::size_t i = 0; i < density.size(); ++i) sum += density[i] * fraction[i];
      return sum;
    };
    EXPECT_NEAR(carried(100) / carried(0), 1, 1e-13);
  }
}

/// Gas of one density that moves as a whole.
class Drift final : public Problem {
 public:
  explicit Drift(double (*profile)(const Vec3& place)) : profile_(profile) {}
  Primitive initial(const Point& point) const override {
    return {.density = 1,
            .velocity = velocity,
            .pressure = 1,
            .scalars = {profile_({point.offset[0], point.offset[1], point.offset[2]})}};
  }
  static constexpr Vec3 velocity{1, 0.5, 0};

 private:
  double (*profile_)(const Vec3& place);
};

double wave(const Vec3& at) { return 0.5 + 0.4 * std::sin(2 * std::numbers::pi * (at[0] + 2 * at[1])); }
double disc(const Vec3& at) { return std::hypot(at[0], at[1]) < 0.3 ? 1 : 0; }

/// Mean error after the wave has come round.
double error_of_drift(double (*profile)(const Vec3&), int cells) {
  constexpr int planes = 4;
  SolverSettings settings;
  settings.grid = {.cells = {cells, cells, planes}, .boundary = {}};
  settings.scalars = {"one"};
  const Drift problem(profile);
  const auto simulation = make_simulation(settings, problem);
  constexpr double round = 2;
  while (simulation->time() < round) {
    simulation->advance(1'000'000, round);
    simulation->finish();
  }
  std::vector<double> plane(6 * std::size_t(cells) * cells);
  double sum = 0;
  for (int z = 0; z < planes; ++z) {
    simulation->read_planes(z, 1, plane);
    for (int y = 0; y < cells; ++y)
      for (int x = 0; x < cells; ++x)
        sum += std::abs(plane[(5 * std::size_t(cells) + y) * cells + x] -
                        problem.initial(settings.grid.point(x, y, z)).scalars[0]);
  }
  return sum / (double(cells) * cells * planes);
}

TEST(CarriedSlow, SmoothProfilesConvergeWithSecondOrderAndADiscWithTwoThirds) {
  const double coarse = error_of_drift(wave, 32), fine = error_of_drift(wave, 64);
  const double coarse_disc = error_of_drift(disc, 32), fine_disc = error_of_drift(disc, 64);
  fmt::print(
      "wave: error {:.4g} on 32 cells, {:.4g} on 64, order {:.2f}; disc: {:.4g}, {:.4g}, order {:.2f}\n",
      coarse, fine, std::log2(coarse / fine), coarse_disc, fine_disc, std::log2(coarse_disc / fine_disc));
  EXPECT_GT(std::log2(coarse / fine), 1.9);  // the limiter flattens crests
  EXPECT_GT(std::log2(coarse_disc / fine_disc), 0.6);
}

/// Of layers at rest, 0.01 apart in density.
TEST(CarriedFraction, GivesTheWidthOfALayerOfNearlyEqualFluids) {
  SolverSettings settings = settings_of("hydrostatic", "muscl", {4, 4, 64});
  settings.scalars = {heavy_scalar};
  constexpr double thickness = 0.08;
  const auto problem = make_problem("hydrostatic", settings, {{"atwood", -0.01}, {"thickness", thickness}});
  const auto simulation = make_simulation(settings, *problem);
  simulation->advance(20, 1e300);
  simulation->finish();
  const BoxState box{.grid = settings.grid,
                     .gravity = settings.gravity,
                     .layers = problem->layers(),
                     .planes = simulation->plane_sums()};
  const auto columns = diagnostics_columns(true);
  const auto width = std::find_if(columns.begin(), columns.end(), [](const auto& column) {
    return std::string(column.name) == "mixing_width";
  });
  EXPECT_NEAR(width->value(box), 3 * thickness, 0.01 * 3 * thickness);  // 6 integral f (1 - f) of a tanh
}

}  // namespace
}  // namespace tayra::testing
