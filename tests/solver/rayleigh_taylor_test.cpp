// Rayleigh-Taylor flow: linear growth against the exact eigenvalue, and the nonlinear stage at large density
// jumps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/traits_of.hpp"
#include "solver/flow.hpp"
#include "solver/problems/linear_mode.hpp"

namespace tayra::testing {
namespace {

constexpr double atwood = 1. / 3, thickness = 0.1;

struct Column {
  std::string profile = "constant";
  double stratification = 0;
  double pressure = 10;
};

double exact_growth_rate(const Column& column = {}) {
  return fastest_mode({.layers = {.density_below = (1 - atwood) / (1 + atwood),
                                  .density_above = 1,
                                  .interface_height = 0.75,
                                  .thickness = thickness,
                                  .interface_pressure = column.pressure,
                                  .gravity = -1,
                                  .stratification = column.stratification},
                       .gamma = 5. / 3,
                       .lower = 0,
                       .upper = 1.5,
                       .wavenumber = 2 * std::numbers::pi})
      .growth_rate();
}

/// The part of the vertical momentum that follows the wave, summed over the box.
double wave_momentum(Flow& flow) {
  const std::vector<double> state = flow.state();
  const Grid& grid = flow.grid();
  double sum = 0;
  for (int z = 0; z < grid.cells[2]; ++z)
    for (int x = 0; x < grid.cells[0]; ++x)
      sum += std::cos(2 * std::numbers::pi * grid.offset(0, x)) * state[flow.place(3, x, 0, z)];
  return sum;
}

double measured_growth_rate(const std::string& scheme, int cells_a_wave, const Column& column = {}) {
  const SolverSettings settings =
      settings_of("rt_single", scheme, {cells_a_wave, 1, cells_a_wave * 3 / 2}, {1, 1, 1.5});
  Flow flow("rt_single", settings,
            {{"atwood", atwood},
             {"thickness", thickness},
             {"pressure", column.pressure},
             {"profile", column.profile},
             {"modes", whole({1, 0})},
             {"perturb", text("eigenmode")},
             {"amplitude", 1e-5}});
  flow.run_until(0.5);
  const double early = wave_momentum(flow), start = flow.simulation().time();
  flow.run_until(1.5);
  return std::log(wave_momentum(flow) / early) / (flow.simulation().time() - start);
}

// In gas so soft that the three rates differ by 6 % and more.
TEST(LinearGrowth, IsThatOfTheEigenmodeInLayersOfEachProfile) {
  for (const Column& column :
       {Column{"constant", 0, 1.2}, Column{"isothermal", 1, 1.2}, Column{"isentropic", 3. / 5, 1.2}}) {
    const double exact = exact_growth_rate(column);
    const double error = measured_growth_rate("roe3", 24, column) / exact - 1;
    fmt::print("{:10} growth rate against {:.6f}: {:+.2f} %\n", column.profile, exact, 100 * error);
    EXPECT_LT(std::abs(error), 0.01) << column.profile;
  }
}

class LinearGrowthSlow : public ::testing::TestWithParam<std::string> {};

TEST_P(LinearGrowthSlow, ApproachesTheExactEigenvalueWithResolution) {
  const std::string& scheme = GetParam();
  const SchemeTraits& traits = traits_of(scheme);
  const double exact = exact_growth_rate();
  const double coarse = measured_growth_rate(scheme, 16) / exact - 1;
  const double fine = measured_growth_rate(scheme, 32) / exact - 1;
  fmt::print("{:8} growth rate against {:.6f}: 16 cells a wave {:+.2f} %, 32 cells {:+.2f} %\n", scheme,
             exact, 100 * coarse, 100 * fine);
  EXPECT_LT(std::abs(fine), traits.growth_error);
  const double of_coarse = traits.order > 1 ? 0.4 : 0.7;  // first order at best halves it
  EXPECT_LT(std::abs(fine), of_coarse * std::abs(coarse));
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, LinearGrowthSlow, ::testing::ValuesIn(scheme_names()),
                         [](const auto& one) { return one.param; });

/// 6 times the integral of f (1 - f) over the height, f the plane's mean fraction of heavy fluid.
double mixing_width(Flow& flow) {
  double width = 0;
  for (const PlaneSums& plane : flow.simulation().plane_sums()) {
    const double fraction = plane.heavy_fraction / double(flow.plane_cells());
    width += 6 * fraction * (1 - fraction) * flow.grid().spacing(2);
  }
  return width;
}

/// Height above the interface at which the planes' mean fraction of heavy fluid rises through `share`.
double height_of(Flow& flow, double share) {
  const std::vector<PlaneSums> planes = flow.simulation().plane_sums();
  const auto fraction = [&](std::size_t z) { return planes[z].heavy_fraction / double(flow.plane_cells()); };
  std::size_t z = 0;
  while (z + 2 < planes.size() && fraction(z + 1) <= share) ++z;
  const double along = (share - fraction(z)) / (fraction(z + 1) - fraction(z));
  return flow.grid().centre(2, static_cast<int>(z)) + along * flow.grid().spacing(2) - 1;
}

struct MixedStart {
  std::string profile;
  double largest_error_of_width;    // relative
  double largest_error_of_heights;  // in thicknesses of the interface
};

// 6 times the integral of f (1 - f) is 3 d for f = (1 + tanh(z / d)) / 2, and f = 0.99 at atanh(0.98) d.
TEST(MixingWidthAndHeights, AreThoseOfTheStartWithinWhatDecision0901SaysInLayersOfEachProfile) {
  constexpr double d = 0.1;
  for (const MixedStart& start :
       {MixedStart{"constant", 0.06, 0.5}, {"isentropic", 1e-4, 0.01}, {"isothermal", 0.15, 1}}) {
    Flow flow("rt_single", settings_of("rt_single", "roe3", {4, 4, 160}, {1, 1, 2}),
              {{"thickness", d}, {"profile", start.profile}, {"amplitude", 0.}});
    const double width = mixing_width(flow) / (3 * d) - 1;
    const double bubble = height_of(flow, 0.99) / d - std::atanh(0.98);
    const double spike = height_of(flow, 0.01) / d + std::atanh(0.98);
    fmt::print("{:10} width {:+.2f} %, bubble {:+.3f} d, spike {:+.3f} d\n", start.profile, 100 * width,
               bubble, spike);
    EXPECT_NEAR(width, 0, start.largest_error_of_width) << start.profile;
    EXPECT_NEAR(bubble, 0, start.largest_error_of_heights) << start.profile;
    EXPECT_NEAR(spike, 0, start.largest_error_of_heights) << start.profile;
  }
}

struct LargeJump {
  std::string scheme;
  double atwood;
};

std::ostream& operator<<(std::ostream& out, const LargeJump& c) { return out << c.scheme << " " << c.atwood; }

class LargeJumpSlow : public ::testing::TestWithParam<LargeJump> {};

TEST_P(LargeJumpSlow, ReachesTheNonlinearStageWithoutLosingPositivity) {
  const SolverSettings settings = settings_of("rt_multi", GetParam().scheme, {12, 12, 12});
  Flow flow("rt_multi", settings,
            {{"atwood", GetParam().atwood}, {"pressure", 1.}, {"modes", whole({1, 2})}, {"amplitude", 0.03}});
  flow.run_until(1);
  ASSERT_TRUE(flow.course().stayed_a_gas);
  double least_density = 1, least_pressure = 1;
  for (const PlaneSums& plane : flow.simulation().plane_sums()) {
    least_density = std::min(least_density, plane.min_density);
    least_pressure = std::min(least_pressure, plane.min_pressure);
  }
  const double light = (1 - GetParam().atwood) / (1 + GetParam().atwood);
  fmt::print(
      "{:8} Atwood {}: {} steps, mixing width {:.3f}, least density {:.2g} of the light fluid's, least "
      "pressure "
      "{:.3f}, limited faces {}\n",
      GetParam().scheme, GetParam().atwood, flow.simulation().step(), mixing_width(flow),
      least_density / light, least_pressure, flow.course().limited_faces);
  EXPECT_GT(least_density, 0);
  EXPECT_GT(least_pressure, 0);
  EXPECT_GT(mixing_width(flow), 0.2);
}

std::vector<LargeJump> large_jumps() {
  std::vector<LargeJump> cases;
  for (const std::string& scheme : scheme_names())
    for (const double number : {0.9, 0.98}) cases.push_back({scheme, number});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, LargeJumpSlow, ::testing::ValuesIn(large_jumps()), [](const auto& one) {
  return fmt::format("{}_{}", one.param.scheme, std::lround(100 * one.param.atwood));
});

}  // namespace
}  // namespace tayra::testing
