// The length of a step, and the time at which steps stop.
#include "solver/clock.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tayra {
namespace {

Clock clock_until(double until) {
  Clock clock;
  clock.until = until;
  clock.cfl = 0.5;
  return clock;
}

/// Lengths of the steps up to `until`, each found with this signal rate.
std::vector<double> steps(Clock& clock, double signal_rate) {
  std::vector<double> lengths;
  for (;;) {
    clock.signal_rate = signal_rate;
    start_step(clock);
    if (clock.dt == 0) return lengths;
    lengths.push_back(clock.dt);
    end_step(clock);
  }
}

TEST(Clock, StopsExactlyAtTheEndTime) {
  for (const double until : {1., 0.1, 1e-3, 1. / 3, 12345.678})
    for (const double rate : {0.3, 7., 1e3 / 3}) {
      Clock clock = clock_until(until);
      steps(clock, rate * 10 / until);
      EXPECT_EQ(clock.time, until);
    }
}

TEST(Clock, TakesStepsOfTheCflNumberAndNoTinyLastOne) {
  for (const double until : {1.0, 1.01, 1.05, 1.0999}) {  // whole steps of 0.1 would leave any rest
    Clock clock = clock_until(until);
    const auto lengths = steps(clock, 5);
    for (std::size_t i = 0; i + 2 < lengths.size(); ++i) EXPECT_DOUBLE_EQ(lengths[i], 0.1);
    for (const double length : lengths) {
      EXPECT_LE(length, 0.1 * (1 + 1e-8));
      EXPECT_GE(length, 0.05);
    }
  }
}

TEST(Clock, ARoundOffsWorthOfTimeIsNoStepOfItsOwn) {
  Clock clock = clock_until(0.1 * (1 + 1e-12));
  EXPECT_EQ(steps(clock, 5).size(), 1u);
}

TEST(Clock, AFixedStepIsKeptUntilTheLast) {
  Clock clock = clock_until(1);
  clock.fixed_dt = 0.3;
  EXPECT_EQ(steps(clock, 1e9).size(), 4u);
  EXPECT_EQ(clock.time, 1);
  EXPECT_EQ(clock.step, 4);
}

TEST(Clock, GoesOnFromWhereItStoppedToLaterTimesExactly) {
  Clock clock = clock_until(0.1);
  for (int i = 0; i < 50; ++i, clock.until *= 3.7) {  // far enough that time + (until - time) rounds
    steps(clock, 1e-40);
    EXPECT_EQ(clock.time, clock.until);
  }
}

TEST(Clock, StandsStillOnceACellIsNoGasOrNothingMoves) {
  Clock broken = clock_until(1);
  broken.bad_cell = 17;
  EXPECT_TRUE(steps(broken, 5).empty());
  Clock nonsense = clock_until(1);
  EXPECT_TRUE(steps(nonsense, std::nan("")).empty());
  EXPECT_EQ(nonsense.step, 0);
}

TEST(Clock, CountsLimitedFacesStepByStep) {
  Clock clock = clock_until(1);
  clock.signal_rate = 5;
  clock.limited_faces = 99;
  start_step(clock);
  EXPECT_EQ(clock.limited_faces, 0u);
}

}  // namespace
}  // namespace tayra
