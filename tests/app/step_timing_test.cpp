// What the benchmarks of a step time.
#include "app/step_timing.hpp"

#include <gmock/gmock.h>

namespace tayra {

static void PrintTo(Precision precision, std::ostream* out) { *out << name_of(precision); }

namespace {

using testing::AllOf;
using testing::Gt;
using testing::Lt;

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
