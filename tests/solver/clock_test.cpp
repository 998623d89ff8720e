// The length of a step, and the time at which steps stop.
#include "solver/clock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tayra {
namespace {

StepClock clock_until(double until) {
  StepClock clock;
  clock.until = until;
  clock.cfl = 0.5;
  return clock;
}

/// Lengths of the steps up to `until`, each found with this signal rate.
std::vector<double> steps(StepClock& clock, double signal_rate) {
  std::vector<double> lengths;
  for (;;) {
    clock.last.signal_rate = signal_rate;
    plan_step(clock);
    if (clock.dt == 0) return lengths;
    lengths.push_back(clock.dt);
    end_step(clock, {.signal_rate = signal_rate});
  }
}

TEST(Clock, StopsExactlyAtTheEndTime) {
  for (const double until : {1., 0.1, 1e-3, 1. / 3, 12345.678})
    for (const double rate : {0.3, 7., 1e3 / 3}) {
      StepClock clock = clock_until(until);
      steps(clock, rate * 10 / until);
      EXPECT_EQ(clock.time, until);
    }
}

TEST(Clock, TakesStepsOfTheCflNumberAndNoTinyLastOne) {
  for (const double until : {1.0, 1.01, 1.05, 1.0999}) {  // whole steps of 0.1 would leave any rest
    StepClock clock = clock_until(until);
    const auto lengths = steps(clock, 5);
    for (std::size_t i = 0; i + 2 < lengths.size(); ++i) EXPECT_DOUBLE_EQ(lengths[i], 0.1);
    for (const double length : lengths) {
      EXPECT_LE(length, 0.1 * (1 + 1e-8));
      EXPECT_GE(length, 0.05);
    }
  }
}

TEST(Clock, ARoundOffsWorthOfTimeIsNoStepOfItsOwn) {
  StepClock clock = clock_until(0.1 * (1 + 1e-12));
  EXPECT_EQ(steps(clock, 5).size(), 1u);
}

TEST(Clock, AFixedStepIsKeptUntilTheLast) {
  StepClock clock = clock_until(1);
  clock.fixed_dt = 0.3;
  EXPECT_EQ(steps(clock, 1e9).size(), 4u);
  EXPECT_EQ(clock.time, 1);
  EXPECT_EQ(clock.step, 4);
}

TEST(Clock, GoesOnFromWhereItStoppedToLaterTimesExactly) {
  StepClock clock = clock_until(0.1);
  for (int i = 0; i < 50; ++i, clock.until *= 3.7) {  // far enough that time + (until - time) rounds
    steps(clock, 1e-40);
    EXPECT_EQ(clock.time, clock.until);
  }
}

TEST(Clock, StandsStillOnceACellIsNoGasOrNothingMoves) {
  StepClock broken = clock_until(1);
  broken.last.bad_cell = 17;
  EXPECT_TRUE(steps(broken, 5).empty());
  StepClock nonsense = clock_until(1);
  EXPECT_TRUE(steps(nonsense, std::nan("")).empty());
  EXPECT_EQ(nonsense.step, 0);
}

TEST(Clock, CountsLimitedFacesStepByStep) {
  StepClock clock = clock_until(1);
  clock.last.signal_rate = 5;
  plan_step(clock);
  clock.found.limited_faces = 99;
  EXPECT_EQ(end_step(clock, clock.found).report.limited_faces, 99u);
  EXPECT_EQ(end_step(clock, clock.found).report.limited_faces, 0u);
}

TEST(Clock, AStepOfNoLengthLeavesItAsItWas) {
  StepClock clock = clock_until(0);
  clock.last.signal_rate = 5;
  plan_step(clock);
  const StepNote note = end_step(clock, {.signal_rate = 99});
  EXPECT_EQ(note.dt, 0);
  EXPECT_EQ(clock.step, 0);
  EXPECT_EQ(clock.last.signal_rate, 5);
}

}  // namespace
}  // namespace tayra
