// Gravity that varies: its values, its mean over a step, and what flows do under it.
#include "solver/gravity_in_time.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "solver/audit.hpp"
#include "solver/flow.hpp"
#include "solver/problems/linear_mode.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

using ::testing::HasSubstr;

/// Accelerates, coasts, decelerates, accelerates.
const GravityCourse jumps{.table = {{0, -1}, {0.002, -1}, {0.002, 0}, {0.004, 0}, {0.004, 2}, {0.006, -3}}};

TEST(GravityInTime, OfATableIsLinearInBetweenConstantBeyondAndJumpsAtATimeGivenTwice) {
  const GravityInTime gravity({.table = {{1, -1}, {3, -2}, {3, 4}, {5, 6}}});
  EXPECT_EQ(gravity.at(-7), -1);
  EXPECT_EQ(gravity.at(2), -1.5);
  EXPECT_EQ(gravity.at(3), -2) << "what it jumps from";
  EXPECT_EQ(gravity.at(4), 5);
  EXPECT_EQ(gravity.at(9), 6);
}

TEST(GravityInTime, HasTheMeanOfATableToRoundOffAcrossItsTimesAndJumps) {
  const GravityInTime gravity({.table = {{1, -1}, {3, -2}, {3, 4}, {5, 6}}});
  EXPECT_NEAR(gravity.mean(0, 2), (-1 - 1.25) / 2, 1e-15);
  EXPECT_NEAR(gravity.mean(2, 2), (-1.75 + 4.5) / 2, 1e-15);
  EXPECT_NEAR(gravity.mean(0, 10), (-1 - 3 + 10 + 30) / 10., 1e-15);
  EXPECT_EQ(gravity.mean(3, 0), -2) << "a step that does nothing";
  const GravityInTime pulse({.table = {{0.4, 0}, {0.5, 1}, {0.6, 0}}});
  EXPECT_NEAR(pulse.mean(0, 1), 0.1, 1e-16) << "that lies between the times of the stages";
}

TEST(GravityInTime, HasTheMeanOfAFormulaExactlyUpToCubesAndOfAConstantToTheLastBit) {
  EXPECT_NEAR(GravityInTime({.formula = "-t^3 + 2 * t"}).mean(1, 2), -20. / 2 + 4, 1e-14);
  for (const double value : {-0.3, -1 / 3., 9.80665}) {
    const GravityInTime same({.formula = fmt::format("{} + 0 * sin(t)", value)});
    const GravityInTime table({.table = {{0, value}, {0.7, value}, {2, value}}});
    for (const double time : {0., 0.1, 0.65, 1.9})
      for (const double dt : {1e-5, 0.3}) {
        EXPECT_EQ(same.mean(time, dt), value);
        EXPECT_EQ(table.mean(time, dt), value);
      }
  }
}

TEST(GravityInTime, SaysWhatIsWrongWithACourse) {
  EXPECT_EQ(flaw_of(jumps), "");
  EXPECT_EQ(flaw_of({.formula = "-1 - 0.5 * sin(2 * pi * t)"}), "");
  EXPECT_THAT(flaw_of({.table = {{0, -1}, {2, -1}, {1, -1}}}),
              HasSubstr("times of the table fall from 2 to 1"));
  EXPECT_THAT(flaw_of({.table = {{1, 1}, {1, 2}, {1, 3}}}), HasSubstr("the time 1 three times"));
  EXPECT_THAT(flaw_of({.formula = "-1 + z"}), HasSubstr("\"z\""));
  EXPECT_THAT(flaw_of({.formula = "1 / t"}), HasSubstr("is inf at t = 0"));
}

SolverSettings under(const GravityCourse& course, SolverSettings settings) {
  settings.gravity_course = course;
  settings.gravity = gravity_at_rest(course);
  return settings;
}

class VaryingGravity : public ::testing::TestWithParam<SchemeAndPrecision> {
 protected:
  SolverSettings box() const {
    return trial_settings(GetParam(), {11, 9, 17}, {Boundary::periodic, Boundary::mirror, Boundary::mirror});
  }
};

TEST_P(VaryingGravity, ThatStaysAsItIsLeavesTheBitsOfConstantGravity) {
  const Trial constant = run_trial(box(), Tumult::violent, 12);
  expect_same(run_trial(under({.formula = "-1 + 0 * t"}, box()), Tumult::violent, 12), constant, "formula");
  expect_same(run_trial(under({.table = {{0, -1}, {0.01, -1}}}, box()), Tumult::violent, 12), constant,
              "table");
}

TEST_P(VaryingGravity, GivesTheSameBitsAndBooksOnAnyNumberOfSlabs) {
  SolverSettings settings = under(jumps, box());
  const Trial alone = run_trial(settings, Tumult::violent, 20);
  EXPECT_GT(alone.records.back().time, 0.006) << "past the last jump";
  for (const int slabs : {2, 3, 7}) {
    settings.slabs = slabs;
    expect_same(run_trial(settings, Tumult::violent, 20), alone, fmt::format("{} slabs", slabs));
  }
}

TEST_P(VaryingGravity, IsRepeatedByAnAudit) {
  SolverSettings settings = under(jumps, box());
  settings.slabs = 2;
  const Waves3d problem(Tumult::violent, true);
  const auto simulation = make_simulation(settings, problem);
  Audit audit(settings, problem, *simulation);
  audit.note_mass();
  while (simulation->time() < 0.007) {
    audit.before_step();
    simulation->advance(1, 1e300);
    ASSERT_EQ(simulation->finish().size(), 1u);
    const auto fault = audit.after_step();
    EXPECT_FALSE(fault) << fault->what;
  }
}

double whole_energy(Simulation& simulation, const Grid& grid) {
  double energy = simulation.gravity_books()->potential_energy;
  for (const PlaneSums& plane : simulation.plane_sums())
    energy += plane.energy * (grid.spacing(0) * grid.spacing(1) * grid.spacing(2));
  return energy;
}

TEST_P(VaryingGravity, GivesTheFlowWhatItsBooksLose) {
  for (const GravityCourse& course : {jumps, GravityCourse{.formula = "-3 * sin(40 * t)"}}) {
    const SolverSettings settings = under(course, box());
    const Waves3d problem(Tumult::violent, true);
    const auto simulation = make_simulation(settings, problem);
    const double start = whole_energy(*simulation, settings.grid);
    const double potential = simulation->gravity_books()->potential_energy;
    double most = 0;
    while (simulation->time() < 0.1) {
      simulation->advance(7, 0.1);
      ASSERT_FALSE(simulation->finish().empty());
      most = std::max(most, std::abs(whole_energy(*simulation, settings.grid) - start));
    }
    EXPECT_GT(std::abs(simulation->gravity_books()->potential_energy - potential), 1e-5);
    EXPECT_LT(most, GetParam().precision == Precision::double_ ? 1e-14 : 2e-6)
        << simulation->step() << " steps";
  }
}

TEST_P(VaryingGravity, GoesOnFromACheckpointWithTheSameBitsAndBooks) {
  const SolverSettings settings = under(jumps, box());
  const Waves3d problem(Tumult::violent, true);
  const int planes = settings.grid.cells[2];
  const auto steps = [&](Simulation& simulation, int count) {
    simulation.advance(count, 1e300);
    simulation.finish();
  };
  const auto whole = make_simulation(settings, problem), later = make_simulation(settings, problem);
  steps(*whole, 9);
  std::vector<std::byte> bytes(planes * whole->plane_bytes());
  whole->start_copy(0, planes, bytes.data()).wait();
  later->write_raw(0, planes, bytes.data());
  later->restart(whole->clock());
  later->restart_gravity_books(whole->gravity_books()->potential_energy);
  steps(*whole, 9);
  steps(*later, 9);
  EXPECT_EQ(fingerprint_of(later->plane_sums()), fingerprint_of(whole->plane_sums()));
  EXPECT_EQ(later->gravity_books()->potential_energy, whole->gravity_books()->potential_energy);
  EXPECT_EQ(later->gravity_books()->now, whole->gravity_books()->now);
}

INSTANTIATE_TEST_SUITE_P(All, VaryingGravity,
                         ::testing::Values(SchemeAndPrecision{"muscl", Precision::double_},
                                           SchemeAndPrecision{"roe3", Precision::single},
                                           SchemeAndPrecision{"weno3", Precision::double_}),
                         test_name);

/// In gas so stiff and light that its density hardly changes, sound bounces between floor and ceiling. Until
/// it has come from them, gas falls freely; behind it the speed is in proportion to the distance from the
/// wall.
TEST(SuddenGravity, MovesAColumnAtRestAsSoundAllows) {
  constexpr double pressure = 1000, more = -2;
  const double sound = std::sqrt(5. / 3 * pressure);
  for (const double share : {0.25, 0.5, 0.75, 1.25}) {
    const SolverSettings settings =
        under({.table = {{0, -1}, {0, -1 + more}}}, settings_of("hydrostatic", "muscl", {1, 1, 200}));
    Flow flow("hydrostatic", settings, {{"atwood", 0.}, {"pressure", pressure}});
    flow.run_until(share / sound);
    const std::vector<double> state = flow.state();
    double largest_error = 0;
    for (int z = 0; z < 200; ++z) {
      // Reflections make it a triangle wave in time, with a period of twice the way.
      const double wall = std::min(flow.grid().centre(2, z), 1 - flow.grid().centre(2, z));
      const double phase = std::fmod(share, 2.), sign = phase < 1 ? 1 : -1, in_half = std::fmod(phase, 1.);
      const double expected = sign * more / sound * std::min({wall, in_half, 1 - in_half});
      largest_error = std::max(largest_error, std::abs(state[flow.place(3, 0, 0, z)] - expected));
    }
    fmt::print("after {} of the way of sound: error {:.2g} % of the largest speed\n", share,
               100 * largest_error / (0.5 * std::abs(more) / sound));
    EXPECT_LT(largest_error, 0.01 * 0.5 * std::abs(more) / sound) << share;
  }
}

/// What the amplitude's speed has grown by: a'' = rate^2 g(t) / g(0) a, where gas is hardly compressed.
double grown(const GravityInTime& gravity, double rate, double from, double to) {
  double amplitude = 1, speed = rate, at_from = speed;
  constexpr int steps_a_time = 200000;
  for (int i = 0; i < steps_a_time * to; ++i) {  // by leapfrog
    const double t = double(i) / steps_a_time;
    if (std::abs(t - from) < 0.5 / steps_a_time) at_from = speed;
    const double half = 0.5 / steps_a_time;
    amplitude += half * speed;
    speed += 2 * half * rate * rate * gravity.at(t + half) / gravity.at(0) * amplitude;
    amplitude += half * speed;
  }
  return speed / at_from;
}

/// The part of the vertical momentum that follows the wave.
double wave_momentum(Flow& flow) {
  const std::vector<double> state = flow.state();
  double sum = 0;
  for (int z = 0; z < flow.grid().cells[2]; ++z)
    for (int x = 0; x < flow.grid().cells[0]; ++x)
      sum += std::cos(2 * std::numbers::pi * flow.grid().offset(0, x)) * state[flow.place(3, x, 0, z)];
  return sum;
}

struct CourseOfGrowth {
  GravityCourse course;
  double end;
};

// The eigenfunction of an incompressible layer is the same under any gravity. Sound needs a while to tell the
// layer, up to 5 % at a quarter of the pressure; at a higher one the scheme damps more.
TEST(LinearGrowthUnderVaryingGravity, FollowsTheOscillatorsEquation) {
  constexpr double atwood = 1. / 3, thickness = 0.1, pressure = 80;
  const double rate = fastest_mode({.layers = {.density_below = (1 - atwood) / (1 + atwood),
                                               .density_above = 1,
                                               .interface_height = 0.75,
                                               .thickness = thickness,
                                               .interface_pressure = pressure,
                                               .gravity = -1,
                                               .stratification = 3. / 5},
                                    .gamma = 5. / 3,
                                    .lower = 0,
                                    .upper = 1.5,
                                    .wavenumber = 2 * std::numbers::pi})
                          .growth_rate();
  constexpr double from = 0.5;
  for (const auto& [course, end] : {CourseOfGrowth{{.formula = "-2 + cos(4 * t)"}, 2},
                                    {{.table = {{0, -1}, {1, -1}, {1, 3}}}, 2},
                                    {{.table = {{0, -1}, {1, -1}, {1, 0}}}, 2},
                                    {{.table = {{0, -1}, {3, -4}}}, 1.5}}) {
    const SolverSettings settings = under(course, settings_of("rt_single", "roe3", {32, 1, 48}, {1, 1, 1.5}));
    Flow flow("rt_single", settings,
              {{"atwood", atwood},
               {"thickness", thickness},
               {"pressure", pressure},
               {"profile", text("isentropic")},
               {"modes", whole({1, 0})},
               {"perturb", text("eigenmode")},
               {"amplitude", 1e-5}});
    flow.run_until(from);
    const double early = wave_momentum(flow);
    flow.run_until(end);
    const double expected = grown(GravityInTime(course), rate, from, end),
                 found = wave_momentum(flow) / early;
    fmt::print("{:22} grown by {:.5f}, expected {:.5f}\n", course.formula, found, expected);
    EXPECT_NEAR(found, expected, 0.02 * std::max(1., std::abs(expected)));
  }
}

}  // namespace
}  // namespace tayra::testing
