// What `auto` learns of a halo backend from some steps.
#include "solver/halo_choice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/fake_simulation.hpp"
#include "solver/timed_simulation.hpp"

namespace tayra {
namespace {

TEST(TrialTimes, AreThoseOfOneStep) {
  TimedSimulation simulation(Grid{.cells = {4, 5, 6}});
  const TrialTime time = time_of_steps(simulation);
  EXPECT_DOUBLE_EQ(time.exposed_ms, 2);
  EXPECT_GT(time.step_ms, 0);
}

/// Of which every step takes this long.
class SlowSimulation final : public FakeSimulation {
 public:
  SlowSimulation()
      : FakeSimulation(Grid{.cells = {4, 5, 6}}, 0, [](int, int, int) {
          return std::array{1., 0., 0., 0., 1.};
        }) {}
  void advance(std::int64_t count, double) override { enqueued_ = count; }
  std::vector<StepRecord> finish() override {
    std::this_thread::sleep_for(enqueued_ * std::chrono::milliseconds(3));
    return std::vector<StepRecord>(std::exchange(enqueued_, 0));
  }

 private:
  std::int64_t enqueued_ = 0;
};

TEST(TrialTimes, AreMilliseconds) {
  SlowSimulation simulation;
  const TrialTime time = time_of_steps(simulation);
  EXPECT_GE(time.step_ms, 3);
  EXPECT_LT(time.step_ms, 25) << "ten steps take 30";
}

HaloBackend backend(const std::string& name) {
  return {.name = name, .summary = "", .reach = {}, .needs_gpu = false, .needs_mpi = false, .parts = {}};
}

class TrialsOfTwo : public ::testing::Test {
 protected:
  std::vector<HaloTrial> try_all_but(const std::vector<std::string>& missing) const {
    return try_halos(
        {&one_, &other_},
        [&](const HaloBackend& tried) {
          for (const std::string& name : missing)
            require(tried.name != name, ExitCode::unavailable, name + " is not here");
        },
        [] {
          return TrialTime{2, 1};
        });
  }

 private:
  HaloBackend one_ = backend("one"), other_ = backend("other");
};

TEST_F(TrialsOfTwo, LeaveOutTheOneThatCannotBeHad) {
  const auto trials = try_all_but({"one"});
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0].halo, "other");
  EXPECT_EQ(trials[0].step_ms, 2);
  EXPECT_EQ(trials[0].exposed_ms, 1);
}

TEST_F(TrialsOfTwo, TellWhyNeitherCanBeHad) {
  try {
    try_all_but({"one", "other"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unavailable);
    EXPECT_STREQ(error.what(),
                 "none of the halo backends that seemed to be there works:\n  one: one is not here\n  other: "
                 "other is not here");
  }
}

TEST(Trials, EndWhereARankIsLost) {
  const HaloBackend one = backend("one"), other = backend("other");
  const auto lose = [](const HaloBackend&) { throw Error(ExitCode::lost, "rank 1 is gone"); };
  try {
    try_halos({&one, &other}, lose, [] { return TrialTime{2, 1}; });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::lost);
    EXPECT_STREQ(error.what(), "rank 1 is gone");
  }
}

TEST(HaloTrials, TheFastestIsTaken) {
  EXPECT_EQ(best_of({{"host", 0.125, 0.069}, {"uva", 0.084, 0.001}, {"direct", 0.039, 0.013}}).halo,
            "direct");
  EXPECT_EQ(best_of({{"host", 2.0, 0.0}}).halo, "host");
}

/// 512^3 on two GPUs: their clocks made the first to be tried, still cool, look best.
TEST(HaloTrials, OfEquallyFastOnesTheOneThatKeepsSweepsWaitingLeast) {
  EXPECT_EQ(
      best_of({{"host", 14.27, 0.924}, {"uva", 14.29, 0.112}, {"p2p", 14.54, 0.113}, {"nccl", 14.6, 0}}).halo,
      "uva");
}

/// 1024^3 on four GPUs: hiding everything is no use to a way that slows the sweeps.
TEST(HaloTrials, OneThatHidesAllButTakesLongerIsLeft) {
  EXPECT_EQ(best_of({{"uva", 47.0, 0.001}, {"direct", 47.1, 0.06}, {"p2p", 47.5, 0}}).halo, "uva");
}

}  // namespace
}  // namespace tayra
