// What the benchmarks of a step time.
#include "bench/step_timing.hpp"

#include <gmock/gmock.h>

#include "solver/timed_simulation.hpp"

namespace tayra {

static void PrintTo(Precision precision, std::ostream* out) { *out << name_of(precision); }

namespace {

using testing::AllOf;
using testing::Gt;
using testing::Lt;

TEST(StepTiming, HasTheMeanPartsOfAStepAndTheBytesOfOne) {
  SolverSettings settings;
  settings.grid = {.cells = {4, 5, 6}};
  TimedSimulation simulation(settings.grid);
  const StepTiming timing = time_steps(simulation, settings, {.steps = 4, .repeats = 3});
  EXPECT_DOUBLE_EQ(timing.milliseconds.median, 8);
  EXPECT_DOUBLE_EQ(timing.times.compute_ms, 6);
  EXPECT_DOUBLE_EQ(timing.times.comm_ms, 5);
  EXPECT_DOUBLE_EQ(timing.times.exposed_ms, 2);
  EXPECT_EQ(timing.bytes_sent, 640u);
  EXPECT_DOUBLE_EQ(timing.cell_steps_per_second(), 1e3 * 4 * 5 * 6 / 8);
}

/// In single, too, where a word sees the least changes.
class StepTimingTest : public testing::TestWithParam<Precision> {};

TEST_P(StepTimingTest, AllSamplesAreOfOneFlowThatMoves) {
  SolverSettings settings;
  settings.grid = {.cells = {12, 8, 8}};
  settings.device = DeviceKind::cpu;
  settings.scheme = "roe3";
  settings.precision = GetParam();
  const StepTiming timing = time_steps(settings, {.steps = 3, .repeats = 2});
  EXPECT_THAT(timing.change, AllOf(Gt(0), Lt(0.1)));
  EXPECT_GT(timing.milliseconds.median, 0);
}
INSTANTIATE_TEST_SUITE_P(All, StepTimingTest, testing::Values(Precision::single, Precision::double_),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace tayra
