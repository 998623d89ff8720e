// What must not change: a column at rest, and mass and energy in a closed box.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>

#include "physics/traits_of.hpp"
#include "solver/flow.hpp"
#include "solver/trial.hpp"

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

/// Of more than one cell across the bits are the same: see UniformColumn and
/// tests/solver/axis_of_one_cell_test.cpp.
SolverSettings column_settings(const SchemeAndPrecision& choice, int cells, int across = 1) {
  SolverSettings settings = settings_of("hydrostatic", choice.scheme, {across, across, cells});
  settings.precision = choice.precision;
  return settings;
}

std::vector<SchemeAndPrecision> in_both_precisions(bool keeps_contacts) {
  std::vector<SchemeAndPrecision> all;
  for (const SchemeAndPrecision& one : all_schemes_and_precisions())
    if (traits_of(one.scheme).keeps_contacts == keeps_contacts) all.push_back(one);
  return all;
}

class UniformColumn : public ::testing::TestWithParam<SchemeAndPrecision> {};

/// Nothing jumps that a scheme may damp: only the whole pressure and the whole energy change with height.
TEST_P(UniformColumn, StaysAtRestToTheLastBit) {
  for (const double pressure : {1.1, 10.}) {
    const SolverSettings settings = column_settings(GetParam(), 40, 5);
    Flow flow("hydrostatic", settings, {{"atwood", 0.}, {"pressure", pressure}});
    const std::vector<double> start = flow.state();
    flow.run_steps(100);
    EXPECT_TRUE(flow.course().stayed_a_gas);
    EXPECT_TRUE(flow.state() == start) << "at pressure " << pressure << " it moves at "
                                       << largest_drift(flow, settings.gamma) << " of sound";
  }
}

INSTANTIATE_TEST_SUITE_P(All, UniformColumn, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

class RestingColumn : public ::testing::TestWithParam<SchemeAndPrecision> {};

TEST_P(RestingColumn, WithADensityJumpStaysAtRestToRoundOff) {
  for (const double atwood : {-0.9, 0.5, 0.98})
    for (const double interface : {0.5, 0.5125, 0.507}) {  // on a face, in the middle of a cell, anywhere
      const SolverSettings settings = column_settings(GetParam(), 40);
      Flow flow("hydrostatic", settings, {{"atwood", atwood}, {"interface", interface}});
      flow.run_steps(2000);
      EXPECT_LE(largest_drift(flow, settings.gamma), 1e-12) << atwood << " " << interface;
    }
}

TEST_P(RestingColumn, StaysAtRestWithIsothermalLayersAndSmoothOnes) {
  for (const Keys& keys :
       {Keys{{"profile", text("isothermal")}, {"pressure", 0.5}}, Keys{{"thickness", 0.03}}}) {
    const SolverSettings settings = column_settings(GetParam(), 40);
    Flow flow("hydrostatic", settings, keys);
    flow.run_steps(2000);
    EXPECT_LE(largest_drift(flow, settings.gamma), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(SchemesThatKeepAContact, RestingColumn,
                         ::testing::ValuesIn(in_both_precisions(true)), test_name);

struct PulseCase {
  std::string scheme;
  double atwood;
};

std::ostream& operator<<(std::ostream& out, const PulseCase& one) {
  return out << one.scheme << " " << one.atwood;
}

class PulseAtAJump : public ::testing::TestWithParam<PulseCase> {};

/// A resting column says nothing about stability where its zeros are exact: this one has sound in it
/// (docs/decisions/0005 and 0015).
TEST_P(PulseAtAJump, IsNotAmplified) {
  const auto& [scheme, atwood] = GetParam();
  const SolverSettings settings = settings_of("hydrostatic", scheme, {1, 1, 40});
  Flow flow("hydrostatic", settings, {{"atwood", atwood}, {"pulse.amplitude", 1e-10}});
  flow.run_steps(atwood < 0 ? 8000 : 2000);
  EXPECT_LE(largest_drift(flow, settings.gamma), 1e-10);
}

/// Of schemes that keep contacts: others drift by more.
std::vector<PulseCase> pulse_cases() {
  std::vector<PulseCase> cases;
  for (const NamedScheme& scheme : all_schemes())
    if (scheme.traits.keeps_contacts) {
      for (const double atwood : {0.5, 0.85, 0.9, 0.98}) cases.push_back({scheme.name, atwood});
      if (scheme.traits.lets_sound_grow) continue;
      for (const double atwood : {-0.5, -0.9}) cases.push_back({scheme.name, atwood});
    }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(SchemesThatKeepAContact, PulseAtAJump, ::testing::ValuesIn(pulse_cases()),
                         [](const auto& one) {
                           const int percent = std::lround(100 * std::abs(one.param.atwood));
                           return fmt::format("{}_{}_heavy_{}", one.param.scheme, percent,
                                              one.param.atwood < 0 ? "below" : "above");
                         });

class DriftingColumn : public ::testing::TestWithParam<SchemeAndPrecision> {};

double drift_by_time_one(const SchemeAndPrecision& choice, int cells, const Keys& keys) {
  const SolverSettings settings = column_settings(choice, cells);
  Flow flow("hydrostatic", settings, keys);
  flow.run_until(1);
  EXPECT_TRUE(flow.course().stayed_a_gas);
  return largest_drift(flow, settings.gamma);
}

/// `share`: of the drift on twice as coarse a grid.
void expect_less_drift_the_finer_the_grid(const SchemeAndPrecision& choice, const Keys& keys, double share) {
  const double coarse = drift_by_time_one(choice, 32, keys), middle = drift_by_time_one(choice, 64, keys),
               fine = drift_by_time_one(choice, 128, keys);
  fmt::print("{:8} {:6}: max |w| / c at time 1: {:.2e} on 32 cells, {:.2e} on 64, {:.2e} on 128\n",
             choice.scheme, name_of(choice.precision), coarse, middle, fine);
  EXPECT_LT(middle, share * coarse);
  EXPECT_LT(fine, share * middle);
}

TEST_P(DriftingColumn, DriftsLessTheFinerTheGridWhereItDiffusesAJumpAtRest) {
  expect_less_drift_the_finer_the_grid(GetParam(), {}, 1);
}

TEST_P(DriftingColumn, DriftsAtMostHalfAsMuchOnAGridTwiceAsFineWhereNothingJumps) {
  expect_less_drift_the_finer_the_grid(GetParam(), {{"atwood", 0.}, {"profile", text("isothermal")}}, 0.5);
}

INSTANTIATE_TEST_SUITE_P(SchemesThatDiffuseContacts, DriftingColumn,
                         ::testing::ValuesIn(in_both_precisions(false)), test_name);

}  // namespace
}  // namespace tayra::testing
