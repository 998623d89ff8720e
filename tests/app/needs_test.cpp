// Tests of what a run is said to leave on the disk.
#include "app/needs.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/tayra_process.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

/// How many files of a kind a run leaves that goes so far.
double count_of(const std::string& kind, const std::string& output, const RunLength& length,
                const std::string& run = "{steps: 1}") {
  const TemporaryDirectory folder;
  std::ofstream(folder.path("a.yaml"))
      << "problem: {name: rt_single}\ngrid: {cells: [8, 8, 16]}\nrun: " + run + "\noutput: " + output + "\n";
  for (const auto& files : files_of_run(load_config(folder.path("a.yaml"), {}), length))
    if (files.kind == kind) return files.count;
  return 0;
}

TEST(DiskNeeds, AreSnapshotsOfTheStartOfTimesDueAndOfTheEnd) {
  EXPECT_EQ(count_of("snapshots", "{snapshots: {every_steps: 10}}", {.steps = 40, .time = 2}), 5);
  EXPECT_EQ(count_of("snapshots", "{snapshots: {every_steps: 10}}", {.steps = 45, .time = 2}), 6);
  EXPECT_EQ(count_of("snapshots", "{snapshots: {every_time: 0.1}}", {.steps = 40, .time = 0.3}), 4);
  EXPECT_EQ(count_of("parts/a", "{parts: {a: {every_time: 0.7}}}", {.steps = 40, .time = 2}), 4);
}

// Steps end at times due: which of them a number of steps falls on is known only when they have been made.
TEST(DiskNeeds, CountASnapshotTwiceOnWhichBothCadencesMayFallUnlessItIsTheLast) {
  const std::string both = "{snapshots: {every_steps: 10, every_time: 0.5}}";
  EXPECT_EQ(count_of("snapshots", both, {.steps = 40, .time = 2}), 8) << "4 and 4, and the start; one end";
  EXPECT_EQ(count_of("snapshots", both, {.steps = 45, .time = 2}), 9);
  EXPECT_EQ(count_of("snapshots", both, {.steps = 45, .time = 2.1}), 10);
}

TEST(DiskNeeds, AreRowsOfTheStartAndOfTimesDueButNoneOfTheEnd) {
  const RunLength length{.steps = 45, .time = 2.1};
  EXPECT_EQ(count_of("rows of profiles", "{statistics: {every_steps: 10}}", length), 5);
  EXPECT_EQ(count_of("rows of profiles", "{statistics: {every_steps: 15}}", length), 4);
  EXPECT_EQ(count_of("rows of parts/a.h5", "{parts: {a: {every_time: 0.5, one_file: true}}}", length), 5);
}

TEST(DiskNeeds, OfARunOfNoStepsAreOneFileOfEachKind) {
  const RunLength none{.steps = 0, .time = 0};
  EXPECT_EQ(count_of("snapshots", "{snapshots: {every_steps: 10, every_time: 0.5}}", none), 1);
  EXPECT_EQ(count_of("snapshots", "{snapshots: {every_steps: 10}}", none), 1);
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_steps: 10}}", none), 1);
}

TEST(DiskNeeds, CountWhatIsAroundTheNumbersOfSmallFiles) {
  const TemporaryDirectory folder;
  const std::string cell = "lower: [0.5, 0.5, 0.5], upper: [0.5, 0.5, 0.5], every_steps: 1";
  std::ofstream(folder.path("a.yaml"))
      << "problem: {name: rt_single}\ngrid: {cells: [8, 8, 16]}\nrun: {steps: 9}\n"
         "output: {directory: results, checkpoints: {every_steps: 9}, snapshots: {every_steps: 9}, parts: "
         "{one: {" +
             cell + ", fields: [density]}, all: {" + cell +
             ", fields: [density, velocity, pressure, momentum, energy, temperature, mach, vorticity]}}}\n";
  ASSERT_EQ(run_tayra({"run", "a.yaml"}, folder.path()).code, 0);
  for (const auto& files : files_of_run(load_config(folder.path("a.yaml"), {}), {.steps = 9, .time = 1})) {
    std::uint64_t bytes = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder.path("results/" + files.kind)))
      bytes += entry.file_size();
    const double on_disk = static_cast<double>(bytes),
                 predicted = files.count * static_cast<double>(files.bytes_each);
    EXPECT_NEAR(predicted / on_disk, 1, 0.15) << files.kind;
  }
}

TEST(DiskNeeds, AreAsManyCheckpointsAsThereMayBeAtOnce) {
  const RunLength short_run{.steps = 12, .time = 1}, long_run{.steps = 100, .time = 1};
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_steps: 10}}", short_run), 2);
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_steps: 10}}", long_run), 3) << "2 kept, one new";
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_steps: 10}}", long_run,
                     "{steps: 1, audit: {every_steps: 40}}"),
            4)
      << "and the last one before an audit";
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_steps: 10, keep: 0}}", long_run), 0);
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_minutes: 1}}", short_run), 3);
  EXPECT_EQ(count_of("checkpoints", "{checkpoints: {every_steps: 10, every_minutes: 1}}", short_run), 3)
      << "minutes may come besides steps";
}

}  // namespace
}  // namespace tayra
