// What must not change: a column at rest, and mass and energy in a closed box.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>

#include "solver/flow.hpp"

namespace tayra::testing {
namespace {

struct Totals {
  double mass = 0;
  double potential_energy = 0;
  double all_energy = 0;  // internal, kinetic and potential
};

Totals totals(Flow& flow, double gravity) {
  Totals sum;
  int z = 0;
  for (const PlaneSums& plane : flow.simulation().plane_sums()) {
    const double potential = -gravity * flow.grid().offset(2, z++) * plane.density;
    sum.mass += plane.density;
    sum.potential_energy += potential;
    sum.all_energy += plane.energy + potential;
  }
  return sum;
}

class ConservationSlow : public ::testing::TestWithParam<std::string> {};

TEST_P(ConservationSlow, HoldsForMassAndEnergyOverANonlinearRunInAClosedBox) {
  SolverSettings settings = settings_of("rt_single", GetParam(), {18, 20, 24});
  settings.grid.boundary = {Boundary::mirror, Boundary::mirror, Boundary::mirror};
  Flow flow("rt_single", settings, {{"amplitude", 0.1}, {"pressure", 2.}});
  const Totals before = totals(flow, settings.gravity);
  flow.run_steps(2000);
  const Totals after = totals(flow, settings.gravity);
  const double released = before.potential_energy - after.potential_energy;
  const double mass_error = after.mass / before.mass - 1;
  const double energy_error = (after.all_energy - before.all_energy) / released;
  fmt::print(
      "{:8} at time {:.2f}: mass {:+.1e}, energy {:+.1e} of the potential energy released, which is {:.2g} "
      "of "
      "all, limited faces {}\n",
      GetParam(), flow.simulation().time(), mass_error, energy_error, released / before.all_energy,
      flow.course().limited_faces);
  EXPECT_TRUE(flow.course().stayed_a_gas);
  EXPECT_GT(released, 0.01 * before.mass);
  EXPECT_LT(std::abs(mass_error), 2e-13);
  EXPECT_LT(std::abs(energy_error), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, ConservationSlow, ::testing::ValuesIn(scheme_names()),
                         [](const auto& one) { return one.param; });

/// The largest |w| in units of the slowest sound speed at the start.
double largest_drift(Flow& flow, double gamma) {
  double fastest = 0;
  for (const PlaneSums& plane : flow.simulation().plane_sums())
    fastest = std::max(fastest, plane.max_speed_w);
  const Background top = flow.problem().background(flow.grid().centre(2, flow.grid().cells[2] - 1));
  return fastest / std::sqrt(gamma * top.pressure / top.density);
}

class RestingColumn : public ::testing::TestWithParam<std::string> {};

TEST_P(RestingColumn, WithADensityJumpStaysAtRestToRoundOff) {
  for (const double atwood : {-0.9, 0.5, 0.98})
    for (const double interface : {0.5, 0.5125, 0.507}) {  // on a face, in the middle of a cell, anywhere
      const SolverSettings settings = settings_of("hydrostatic", GetParam(), {5, 4, 40});
      Flow flow("hydrostatic", settings, {{"atwood", atwood}, {"interface", interface}});
      flow.run_steps(2000);
      EXPECT_LE(largest_drift(flow, settings.gamma), 1e-12) << atwood << " " << interface;
    }
}

TEST_P(RestingColumn, StaysAtRestWithIsothermalLayersAndSmoothOnes) {
  for (const Keys& keys :
       {Keys{{"profile", text("isothermal")}, {"pressure", 0.5}}, Keys{{"thickness", 0.03}}}) {
    const SolverSettings settings = settings_of("hydrostatic", GetParam(), {5, 4, 40});
    Flow flow("hydrostatic", settings, keys);
    flow.run_steps(2000);
    EXPECT_LE(largest_drift(flow, settings.gamma), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(SchemesThatKeepAContact, RestingColumn, ::testing::Values("roe3", "weno3", "muscl"),
                         [](const auto& one) { return one.param; });

struct PulseCase {
  std::string scheme;
  double atwood;
};

std::ostream& operator<<(std::ostream& out, const PulseCase& one) {
  return out << one.scheme << " " << one.atwood;
}

class PulseAtAJump : public ::testing::TestWithParam<PulseCase> {};

/// A resting column says nothing about stability where its zeros are exact: this one has sound in it
/// (docs/decisions/0005).
TEST_P(PulseAtAJump, IsNotAmplified) {
  const auto& [scheme, atwood] = GetParam();
  const SolverSettings settings = settings_of("hydrostatic", scheme, {5, 4, 40});
  Flow flow("hydrostatic", settings, {{"atwood", atwood}, {"pulse.amplitude", 1e-10}});
  flow.run_steps(2000);
  EXPECT_LE(largest_drift(flow, settings.gamma), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(SchemesThatKeepAContact, PulseAtAJump,
                         ::testing::Values(PulseCase{"roe3", 0.5}, PulseCase{"roe3", 0.85},
                                           PulseCase{"roe3", 0.9}, PulseCase{"roe3", 0.98},
                                           PulseCase{"weno3", 0.9}, PulseCase{"weno3", 0.98},
                                           PulseCase{"muscl", 0.9}, PulseCase{"muscl", 0.98}),
                         [](const auto& one) {
                           return fmt::format("{}_{}", one.param.scheme, std::lround(100 * one.param.atwood));
                         });

double upwind3_drift(int cells) {
  const SolverSettings settings = settings_of("hydrostatic", "upwind3", {4, 4, cells});
  Flow flow("hydrostatic", settings);
  flow.run_until(1);
  return largest_drift(flow, settings.gamma);
}

TEST(Upwind3, DriftsLessTheFinerTheGridWhereItDiffusesAJumpAtRest) {
  const double coarse = upwind3_drift(32), middle = upwind3_drift(64), fine = upwind3_drift(128);
  fmt::print("upwind3: max |w| / c at time 1: {:.2e} on 32 cells, {:.2e} on 64, {:.2e} on 128\n", coarse,
             middle, fine);
  EXPECT_LT(middle, coarse);
  EXPECT_LT(fine, middle);
}

}  // namespace
}  // namespace tayra::testing
