// Tests of the watchdog: whom it takes for lost, and that it ends the process.
#include "grid/watchdog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t second = 1'000'000'000, start = 100 * second;
constexpr Watch three_seconds{.rank = 0, .timeout = 3, .from = start, .now = start + 10 * second};

SeenWork seen(Phase phase, double since) {
  return {.phase = phase,
          .phase_since = start + static_cast<std::int64_t>(since * second),
          .step = 12,
          .heartbeat = three_seconds.now};
}

SeenWork waiting(Phase phase, double since, int awaited = some_rank) {
  SeenWork work = seen(phase, since);
  work.waits_since = work.phase_since;
  work.awaited = awaited;
  return work;
}

SeenWork silent(Phase phase, double since) {
  SeenWork work = seen(phase, since);
  work.heartbeat = work.phase_since;
  return work;
}

std::string reason(const std::map<int, SeenWork>& node, const Watch& watch = three_seconds) {
  return reason_to_give_up(watch, node).value_or("");
}

TEST(Watchdog, GivesUpWhereItsRankHasWaitedTooLongAndSaysForWhomAtWhatAndWhatThatOneIsAt) {
  EXPECT_EQ(
      reason({{0, waiting(Phase::exchanging, 6.5, 1)}, {1, seen(Phase::computing, 6)}}),
      "rank 0 has waited for rank 1 for 3 s in vain (exchanging planes at step 12 for 3.5 s): the run is "
      "given up\n  rank 1 has been computing at step 12 for 4.0 s");
  EXPECT_THAT(reason({{0, waiting(Phase::merging, 6)}}), HasSubstr("rank 0 has waited for the other ranks"));
  EXPECT_THAT(reason({{0, waiting(Phase::computing, 6, own_gpu)}}),
              HasSubstr("rank 0 has waited for its GPU"));
}

TEST(Watchdog, SaysNothingOfThoseThatWaitThemselves) {
  EXPECT_THAT(reason({{0, waiting(Phase::exchanging, 6, 1)}, {1, waiting(Phase::exchanging, 6, 2)}}),
              Not(HasSubstr("rank 1 has been")));
}

TEST(Watchdog, LetsAWaitOrAStepTakeItsTime) {
  EXPECT_EQ(reason({{0, waiting(Phase::exchanging, 8, 1)}, {1, seen(Phase::computing, 8)}}), "");
  EXPECT_EQ(reason({{0, seen(Phase::computing, 0)}, {1, seen(Phase::computing, 0)}}), "");
}

TEST(Watchdog, LetsADiskTakeItsTimeAndThoseThatWaitForIt) {
  EXPECT_EQ(reason({{0, waiting(Phase::at_files, 0)}, {1, seen(Phase::at_files, 0)}}), "");
}

TEST(Watchdog, GivesUpWhereAnotherRankIsSilentEvenAtItsFiles) {
  EXPECT_EQ(reason({{0, waiting(Phase::at_files, 0)}, {1, silent(Phase::at_files, 6)}}),
            "nothing was heard of rank 1 for 3 s: the run is given up\n"
            "  rank 1 does not answer: it has been at its files at step 12 for 4.0 s");
}

TEST(Watchdog, MissesNobodyWhoIsOver) {
  SeenWork over = silent(Phase::computing, 1);
  over.is_over = true;
  EXPECT_EQ(reason({{0, seen(Phase::setting_up, 9)}, {1, over}}), "");
}

TEST(Watchdog, BlamesNobodyForATimeInWhichItWasStoppedItself) {
  Watch watch = three_seconds;
  watch.from = watch.now - 2 * second;
  EXPECT_EQ(reason({{0, waiting(Phase::exchanging, 1, 1)}, {1, silent(Phase::exchanging, 1)}}, watch), "");
}

void stand_still(const std::string& file) {
  RankWork own, other;
  Watchdog watchdog(0, {{0, &own}, {1, &other}});
  watchdog.set_timeout(0.2);
  watchdog.note_problem("no memory is left");
  watchdog.set_last_act([&](const std::string& why) {
    std::ofstream(file) << why << std::flush;
    std::this_thread::sleep_for(std::chrono::seconds(60));  // a disk that never answers
  });
  own.begin(Phase::exchanging);
  own.await(1);
  own.wait_since(nanoseconds_now());
  for (int i = 0; i < 600; ++i) {
    other.beat();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

TEST(WatchdogDeathTest, EndsTheProcessWithItsLastActDoneHoweverLongThatTakes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string file = testing::TempDir() + "tayra_last_act";
  std::remove(file.c_str());
  EXPECT_EXIT(stand_still(file), testing::ExitedWithCode(4),
              "rank 0 has waited for rank 1 for 0.2 s in vain .*what failed here before: no memory is left");
  EXPECT_THAT(text_of(file), HasSubstr("rank 0 has waited for rank 1"));
}

TEST(RankWork, LastsOnWhereItsPhaseIsBegunAgain) {
  RankWork work;
  work.begin_step(12);
  EXPECT_EQ(work.begin(Phase::computing), Phase::setting_up);
  const SeenWork before = work.look();
  EXPECT_EQ(work.begin(Phase::computing), Phase::computing);
  EXPECT_EQ(work.look().phase_since, before.phase_since);
  EXPECT_EQ(description(before, before.phase_since + 1'500'000'000), "computing at step 12 for 1.5 s");
}

}  // namespace
}  // namespace tayra
