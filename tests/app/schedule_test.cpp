// Tests of when output is due.
#include "app/schedule.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

namespace tayra {
namespace {

constexpr Stretch endless{1000, std::numeric_limits<double>::infinity()};

TEST(Occasions, OfNoCadenceNeverCome) {
  Occasions never{Cadence{}};
  EXPECT_FALSE(never.take(100, 100.));
  EXPECT_EQ(never.shortened(endless, 7).steps, 1000);
}

TEST(Occasions, InStepsEndTheStretchBeforeThem) {
  Occasions every_ten{Cadence{.every_time = {}, .every_steps = 10}};
  EXPECT_EQ(every_ten.shortened(endless, 0).steps, 10);
  EXPECT_EQ(every_ten.shortened(endless, 7).steps, 3);
  EXPECT_FALSE(every_ten.take(7, 0.));
  EXPECT_TRUE(every_ten.take(10, 0.));
}

TEST(Occasions, InTimeAreMultiplesThatDoNotDrift) {
  Occasions every_tenth{Cadence{.every_time = 0.1, .every_steps = {}}};
  for (int k = 1; k <= 1000; ++k) {
    const double due = every_tenth.shortened(endless, 0).until;
    EXPECT_EQ(due, std::stod(std::to_string(k / 10) + "." + std::to_string(k % 10)));
    EXPECT_FALSE(every_tenth.take(1, due - 0.01));
    EXPECT_TRUE(every_tenth.take(1, due));
    EXPECT_FALSE(every_tenth.take(1, due));
  }
}

TEST(Occasions, ThatDifferByRoundOffAreOne) {
  Occasions every_tenth{Cadence{.every_time = 0.1, .every_steps = {}}};
  every_tenth.take(1, 0.1);
  every_tenth.take(1, 0.2);
  EXPECT_TRUE(every_tenth.take(1, 0.3));  // 3 * 0.1 is 0.30000000000000004
  EXPECT_EQ(every_tenth.shortened(endless, 0).until, 0.4);
  Occasions every_third{Cadence{.every_time = 0.3, .every_steps = {}}};
  every_third.skip(0.6);
  const double end = 0.9;  // 3 * 0.3 is 0.8999999999999999
  EXPECT_EQ(every_third.shortened({.steps = 1, .until = end}, 0).until, end);
}

TEST(Occasions, FallOnTheStateThatARunGoesOnFromOrBesideIt) {
  Occasions every_tenth{Cadence{.every_time = 0.1, .every_steps = 7}};
  every_tenth.skip(0.3);
  EXPECT_TRUE(every_tenth.fall_on(5, 0.3));  // 3 * 0.1 is 0.30000000000000004
  EXPECT_FALSE(every_tenth.fall_on(5, 0.31));
  EXPECT_TRUE(every_tenth.fall_on(14, 0.31));
  EXPECT_FALSE(Occasions{Cadence{}}.fall_on(14, 0.3));
}

TEST(Occasions, OfBothKindsCountOnceWhenTheyMeet) {
  Occasions both{Cadence{.every_time = 0.5, .every_steps = 2}};
  EXPECT_TRUE(both.take(2, 0.5));
  EXPECT_FALSE(both.take(3, 0.5));
}

TEST(CheckpointOccasions, InMinutesCountFromTheLastOne) {
  using std::chrono::seconds;
  CheckpointOccasions::WallClock::time_point now;
  CheckpointOccasions every_two_minutes{CheckpointSettings{.every_steps = 10, .every_minutes = 2., .keep = 1},
                                        [&now] { return now; }};
  const auto takes = [&](std::int64_t step) {
    return every_two_minutes.take(step, every_two_minutes.has_come());
  };
  now += seconds(119);
  EXPECT_FALSE(takes(1));
  now += seconds(1);
  EXPECT_TRUE(takes(2));
  EXPECT_FALSE(takes(3));
  now += seconds(60);
  EXPECT_TRUE(takes(10)) << "by steps";
  now += seconds(119);
  EXPECT_FALSE(takes(11));
  now += seconds(1);
  EXPECT_TRUE(takes(12));
}

TEST(CheckpointOccasions, OfWhichNoneAreKeptNeverCome) {
  CheckpointOccasions never{CheckpointSettings{.every_steps = 10, .every_minutes = 0., .keep = 0}};
  EXPECT_FALSE(never.take(10, never.has_come()));
  EXPECT_EQ(never.shortened(endless, 7).steps, 1000);
}

/// Whether pictures are due once so many seconds have gone by.
class PicturesOf {
 public:
  explicit PicturesOf(double every_seconds) : due_(every_seconds, [this] { return now_; }) {}
  bool are_due_after(double seconds) {
    now_ += std::chrono::duration_cast<PictureOccasions::WallClock::duration>(
        std::chrono::duration<double>(seconds));
    return due_.have_come();
  }
  void are_taken_in(double seconds) {
    are_due_after(seconds);
    due_.note_taken(seconds);
  }

 private:
  PictureOccasions::WallClock::time_point now_;
  PictureOccasions due_;
};

TEST(PictureOccasions, ComeAsOftenAsAskedForByTheClock) {
  PicturesOf twice_a_second(0.5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(twice_a_second.are_due_after(0.48));
    EXPECT_TRUE(twice_a_second.are_due_after(0.021));
    twice_a_second.are_taken_in(0.001);
  }
}

TEST(PictureOccasions, TakeAHundredthOfTheTimeAtMost) {
  PicturesOf slow(0.5);
  EXPECT_TRUE(slow.are_due_after(0.5));
  slow.are_taken_in(0.1);
  EXPECT_FALSE(slow.are_due_after(9.8));
  EXPECT_TRUE(slow.are_due_after(0.11));
}

TEST(PictureOccasions, OfZeroSecondsNeverCome) {
  PicturesOf none(0);
  EXPECT_FALSE(none.are_due_after(1e6));
}

TEST(Pace, FillsAFifthOfASecondWithinItsLimits) {
  Pace pace;
  EXPECT_EQ(pace.steps(), 1);
  pace.learn(1, 0.01);
  EXPECT_EQ(pace.steps(), 20);
  pace.learn(20, 100.);
  EXPECT_EQ(pace.steps(), 1);
  pace.learn(1, 0.);
  EXPECT_EQ(pace.steps(), 1000);
}

TEST(Runs, EndThoughTheirLastStepFallsShortByRoundOff) {
  RunLimits limits{};
  limits.time = 0.3;
  EXPECT_TRUE(is_over(limits, 10, std::nextafter(0.3, 0.)));
  EXPECT_FALSE(is_over(limits, 10, 0.3 - 1e-9));
}

TEST(Runs, EndAtWhicheverLimitComesFirst) {
  const RunLimits limits{.time = 1., .steps = 10};
  EXPECT_FALSE(is_over(limits, 9, 0.9));
  EXPECT_TRUE(is_over(limits, 10, 0.9));
  EXPECT_TRUE(is_over(limits, 9, 1.));
  EXPECT_EQ(stretch_to_end(limits, 8, 100).steps, 2);
  EXPECT_EQ(stretch_to_end(limits, 8, 100).until, 1.);
}

}  // namespace
}  // namespace tayra
