// Tests of what a run tells, and of the units it tells it in.
#include "app/progress.hpp"

#include <gmock/gmock.h>

#include <cstdint>

#include "app/units.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Config small_config() {
  Config config;
  config.problem = "vortex";
  config.solver.grid.cells = {10, 10, 10};
  config.limits = {.time = 4., .steps = 100};
  return config;
}

std::string text_of_closed(std::FILE* file) {
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

std::string shown(ProgressStyle style) {
  std::FILE* file = std::tmpfile();
  const Config config = small_config();
  Progress::WallClock::time_point now;
  Progress progress(config, style, file, [&now] { return now; });
  SimulationFacts facts;
  facts.devices = {"CPU", "CPU"};
  facts.threads = 3;
  progress.show_start(facts);
  now += std::chrono::milliseconds(210);
  progress.update(50, 1., 0.02);
  now += std::chrono::milliseconds(190);
  progress.update(51, 1.02, 0.02);
  progress.show_end(100, 2., "results/vortex");
  return text_of_closed(file);
}

std::string start_on_gpus(int slabs_meant, int slabs_there) {
  std::FILE* file = std::tmpfile();
  Config config = small_config();
  config.solver.device = DeviceKind::cuda;
  config.solver.slabs = slabs_meant;
  SimulationFacts facts;
  facts.most_slabs_of_a_device = slabs_there;
  Progress(config, ProgressStyle::log, file).show_start(facts);
  return text_of_closed(file);
}

TEST(Progress, TellsOfSlabsThatShareAGpuUnlessTheyWereMeantTo) {
  EXPECT_THAT(start_on_gpus(1, 1), Not(HasSubstr("share a GPU")));
  EXPECT_THAT(start_on_gpus(1, 1), Not(HasSubstr("thread")));
  EXPECT_THAT(start_on_gpus(4, 4), Not(HasSubstr("share a GPU")));
  EXPECT_THAT(start_on_gpus(1, 4), HasSubstr("\n4 slabs share a GPU instead of 1: start fewer ranks"));
  EXPECT_THAT(start_on_gpus(2, 4), HasSubstr("\n4 slabs share a GPU instead of 2"));
}

TEST(Progress, OnATerminalRewritesALineWithTheShareOfTheLimitReachedFirst) {
  const std::string text = shown(ProgressStyle::live);
  EXPECT_THAT(text,
              AllOf(HasSubstr("vortex, 10 x 10 x 10 cells"), HasSubstr("2 slabs on CPU, 3 threads, halo"),
                    HasSubstr("\r\x1b[Kstep 50  time 1  dt 0.02"), HasSubstr("50.0 %  ETA 0.2 s"),
                    HasSubstr("step 100, time 2 in"), HasSubstr("results in results/vortex\n")));
  EXPECT_EQ(text.find("step 51"), std::string::npos);  // at most five a second
}

TEST(Progress, OfAResumedRunTellsTheSpeedAndTheRestOfWhatItComputesItself) {
  std::FILE* file = std::tmpfile();
  const Config config = small_config();
  Progress::WallClock::time_point now;
  Progress progress(config, ProgressStyle::live, file, [&now] { return now; });
  progress.show_start({}, 40, 0);
  now += std::chrono::seconds(1);
  progress.update(50, 0, 0.02);
  now += std::chrono::seconds(1);
  progress.update(80, 0, 0.02);
  progress.show_end(80, 0, "results/vortex");
  EXPECT_THAT(text_of_closed(file),
              AllOf(HasSubstr("step 50  time 0  dt 0.02  1e+04 cell-steps/s  50.0 %  ETA 5.0 s"),
                    HasSubstr("step 80  time 0  dt 0.02  3e+04 cell-steps/s  80.0 %  ETA 1.0 s"),
                    HasSubstr("step 80, time 0 in 2.0 s: 2e+04 cell-steps/s")));
}

TEST(Progress, InALogIsSparse) {
  const std::string text = shown(ProgressStyle::log);
  EXPECT_EQ(text.find("step 50 "), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, InALogHasALineEveryFiveSeconds) {
  std::FILE* file = std::tmpfile();
  const Config config = small_config();
  Progress::WallClock::time_point now;
  Progress progress(config, ProgressStyle::log, file, [&now] { return now; });
  progress.show_start({});
  for (int step = 1; step <= 12; ++step) {
    now += std::chrono::seconds(1);
    progress.update(step, 0, 0.02);
  }
  const std::string text = text_of_closed(file);
  for (const int step : {5, 10}) EXPECT_THAT(text, HasSubstr("\nstep " + std::to_string(step) + "  time"));
  for (const int step : {4, 6, 9, 11})
    EXPECT_THAT(text, Not(HasSubstr("\nstep " + std::to_string(step) + "  time")));
}

TEST(Progress, ShowsNamesThatATerminalWouldObeyAsCodes) {
  std::FILE* file = std::tmpfile();
  const Config config = small_config();
  Progress progress(config, ProgressStyle::log, file);
  progress.note("going on from a\x1b[2J\n.h5");
  progress.show_end(100, 2., "results\x1b[2J\u202e");
  const std::string text = text_of_closed(file);
  EXPECT_THAT(text, HasSubstr("going on from a\\x1b[2J\\n.h5\n"));
  EXPECT_THAT(text, HasSubstr("results in results\\x1b[2J\\u202e\n"));
}

TEST(Progress, CanBeSilenced) { EXPECT_EQ(shown(ProgressStyle::quiet), ""); }

TEST(Units, AreThoseThatPeopleRead) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 40), "3 TiB");
  EXPECT_EQ(duration_text(4.21), "4.2 s");
  EXPECT_EQ(duration_text(63), "1m 03s");
  EXPECT_EQ(duration_text(3723), "1h 02m 03s");
}

}  // namespace
}  // namespace tayra
