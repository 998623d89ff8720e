// Tests of runs whose files can't be written: they stop or go on as the config says, and leave no half file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <tuple>

#include "app/tayra_process.hpp"
#include "io/full_disk.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string config = R"(problem: {name: rt_single, profile: isentropic}
grid: {cells: [8, 8, 12], upper: [1, 1, 2]}
run: {steps: 60}
output:
  directory: results
  snapshots: {every_steps: 20}
  diagnostics: {every_steps: 4}
  checkpoints: {every_steps: 25}
)";

constexpr const char* warn = "output.on_write_error=warn";

class WriteError : public testing::Test {
 protected:
  WriteError() { write_file(folder_.path("a.yaml"), config); }

  /// On a disk with room for `bytes` a file.
  ProcessEnd run_on_full_disk(rlim_t bytes, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "a.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    const FileSizeLimit limit(bytes);
    return run_tayra(words, folder_.path());
  }
  YAML::Node record() { return YAML::LoadFile(folder_.path("results/run.json")); }
  std::size_t rows(const std::string& name) {
    const std::string text = text_of(folder_.path("results/" + name));
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  void expect_no_half_file() {
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("results")))
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }
  /// Starts an endless run, waits until it has written something and takes `victim` away.
  ProcessEnd lose_while_running(const std::string& victim, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "a.yaml", "--set", "run.steps=1e9"};
    words.insert(words.end(), more.begin(), more.end());
    const TayraProcess process(words, folder_.path());
    wait_for_file(folder_.path("results/snapshots/000002.vtkhdf"), process);
    std::error_code busy;  // the run may just be making a file there
    while (fs::exists(folder_.path(victim))) fs::remove_all(folder_.path(victim), busy);
    if (!more.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      process.send(SIGTERM);
    }
    return process.wait();
  }

  TemporaryDirectory folder_;
};

TEST_F(WriteError, OfALogThatCannotBeOpenedEndsTheRunAsFailed) {
  fs::create_directories(folder_.path("results/timings.csv"));
  const ProcessEnd end = run_tayra({"run", "a.yaml"}, folder_.path());
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("results/timings.csv"));
  EXPECT_EQ(record()["status"].as<std::string>(), "failed");
}

TEST_F(WriteError, StopsTheRunAndNamesTheFile) {
  const ProcessEnd end = run_on_full_disk(12000);
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              AllOf(StartsWith("tayra: snapshot results/snapshots/000000.vtkhdf was not written: cannot "),
                    HasSubstr("(File too large)")));
  EXPECT_EQ(record()["status"].as<std::string>(), "failed");
  EXPECT_FALSE(fs::exists(folder_.path("results/snapshots/000000.vtkhdf")));
  expect_no_half_file();
}

TEST_F(WriteError, OfAListOfSnapshotsNamesTheListAndLeavesTheSnapshot) {
  fs::create_directories(folder_.path("results/snapshots/snapshots.xmf"));
  const ProcessEnd end = run_tayra({"run", "a.yaml"}, folder_.path());
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, StartsWith("tayra: cannot write results/snapshots/snapshots.xmf (Is a directory)"));
  EXPECT_TRUE(fs::exists(folder_.path("results/snapshots/000000.vtkhdf")));
}

// What is kept at the end is what the run was for.
TEST_F(WriteError, OfTheEndOfARunIsItsFailureEvenThenAndTheRestCanBeWrittenLater) {
  const ProcessEnd end = run_on_full_disk(12000, {"--set", warn});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              StartsWith("tayra: warning: snapshot results/snapshots/000000.vtkhdf was not written"));
  EXPECT_THAT(end.errors, AllOf(HasSubstr("checkpoint results/checkpoints/000025.h5 was not written"),
                                HasSubstr("reached its end at step 60"),
                                HasSubstr("go on from the newest checkpoint with --resume")));
  EXPECT_EQ(record()["status"].as<std::string>(), "failed");
  EXPECT_EQ(rows("timings.csv"), 61u) << "small files had room";
  expect_no_half_file();

  const ProcessEnd later = run_tayra({"run", "a.yaml", "--resume"}, folder_.path());
  EXPECT_EQ(later.code, 0) << later.errors;
  EXPECT_EQ(record()["status"].as<std::string>(), "finished");
  EXPECT_TRUE(fs::exists(folder_.path("results/checkpoints/000060.h5")));
  EXPECT_TRUE(fs::exists(folder_.path("results/snapshots/000003.vtkhdf")));
}

// Checkpoints have room, a row of every step has not.
TEST_F(WriteError, OfTheLastRowsOfALogIsTheFailureOfTheEndAndToldOfLater) {
  for (const auto& [log, steps, every] :
       {std::tuple{"timings.csv", "1000", "100"}, std::tuple{"diagnostics.csv", "210", "1"}}) {
    const std::vector<std::string> words{"--set",  fmt::format("run.steps={}", steps),
                                         "--set",  fmt::format("output.diagnostics.every_steps={}", every),
                                         "--set",  warn,
                                         "--force"};
    const ProcessEnd end = run_on_full_disk(60000, words);
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.errors, AllOf(HasSubstr(fmt::format("cannot write results/{} (File too large)", log)),
                                  HasSubstr(fmt::format("reached its end at step {}", steps)),
                                  HasSubstr("or from one before the missing rows with --resume FILE")));
    EXPECT_EQ(record()["status"].as<std::string>(), "failed");

    const ProcessEnd later =
        run_tayra({"run", "a.yaml", "--resume", "--set", words[1], "--set", words[3]}, folder_.path());
    EXPECT_EQ(later.code, 0) << later.errors;
    EXPECT_THAT(later.errors,
                AllOf(StartsWith(fmt::format("tayra: warning: results/{} lacks rows after step ", log)),
                      HasSubstr(fmt::format(" up to step {} (it could not be written, or ", steps))));
    EXPECT_EQ(record()["status"].as<std::string>(), "finished");
  }
}

TEST_F(WriteError, OfTheEndIsOnlyTheWarningOfARunThatKeepsNoCheckpoint) {
  const ProcessEnd end = run_on_full_disk(12000, {"--set", warn, "--set", "output.checkpoints.keep=0"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(record()["status"].as<std::string>(), "finished") << "--resume would begin anew, over its logs";
  EXPECT_THAT(record()["message"].as<std::string>(), HasSubstr(" could not be written; see the warnings"));
}

TEST_F(WriteError, OfTheLastSnapshotAloneCostsNoStepAnew) {
  write_file(folder_.path("a.yaml"), config + "  on_write_error: warn\n");
  for (const std::string cadence : {"20", "25"}) {  // one that falls on the end, and one that doesn't
    const std::vector<std::string> words{"run",   "a.yaml", "--output",
                                         cadence, "--set",  "output.snapshots.every_steps=" + cadence};
    const std::string last = folder_.path(cadence + "/snapshots/000003.vtkhdf");
    fs::create_directories(last + "/in_the_way");
    EXPECT_EQ(run_tayra(words, folder_.path()).code, 1);
    fs::remove_all(last);
    std::vector<std::string> again = words;
    again.emplace_back("--resume");
    const ProcessEnd later = run_tayra(again, folder_.path());
    EXPECT_EQ(later.code, 0) << later.errors;
    EXPECT_THAT(later.output, HasSubstr("going on from " + cadence + "/checkpoints/000060.h5"));
    EXPECT_TRUE(fs::is_regular_file(last)) << cadence;
  }
}

TEST_F(WriteError, IsOnlyAWarningWhenTheConfigSaysSo) {
  fs::create_directories(folder_.path("results/snapshots/000001.vtkhdf"));
  const ProcessEnd end = run_tayra({"run", "a.yaml", "--set", warn}, folder_.path());
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(record()["status"].as<std::string>(), "finished");
  EXPECT_EQ(record()["message"].as<std::string>(), "1 file could not be written; see the warnings");
}

TEST_F(WriteError, OfALogLeavesNoHalfRow) {
  const ProcessEnd end = run_on_full_disk(4000, {"--set", "output.checkpoints.keep=0", "--set", warn});
  const std::string warning = "warning: cannot write results/timings.csv (File too large)";
  const auto told = end.errors.find(warning);
  EXPECT_NE(told, std::string::npos) << end.errors;
  EXPECT_EQ(end.errors.find(warning, told + 1), std::string::npos) << "every batch would say the same";
  const std::string text = text_of(folder_.path("results/timings.csv"));
  EXPECT_EQ(text.back(), '\n');
  EXPECT_LE(text.size(), 4000u);
}

TEST_F(WriteError, OfLogsIsInTheRecordByTheirNames) {
  run_on_full_disk(4000, {"--set", "output.checkpoints.keep=0", "--set", warn});
  EXPECT_THAT(
      record()["message"].as<std::string>(),
      testing::MatchesRegex("([0-9]+ files?, )?rows of timings.csv, rows of diagnostics.csv could not be "
                            "written; see the warnings"));
}

TEST_F(WriteError, OfADiskThatOthersFilledIsToldByTheRecord) {
  fs::create_directory(folder_.path("results"));
  const auto on_small_disk = [&](const std::string& commands) {
    write_file(folder_.path("commands"), "mount -t tmpfs -o size=4m none results || exit 1\n" + commands);
    return run_shell("unshare --user --map-root-user --mount sh commands", folder_.path());
  };
  if (on_small_disk("").code != 0) GTEST_SKIP() << "no disk of its own can be mounted here";
  const ProcessEnd end = on_small_disk(TAYRA_BINARY R"( run a.yaml --set run.steps=1e9 &
until [ -s results/timings.csv ] || ! kill -0 $!; do sleep 0.01; done
cat /dev/zero > results/of_others
wait $!
cat results/run.json
)");
  EXPECT_THAT(end.errors, HasSubstr("tayra: "));
  EXPECT_THAT(end.output, AllOf(HasSubstr("\"status\": \"failed\""), HasSubstr("(No space left on device)")));
}

TEST_F(WriteError, IsWhatARemovedFolderIs) {
  const ProcessEnd end = lose_while_running("results/snapshots");
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(StartsWith("tayra: "), HasSubstr("results/snapshots/"), HasSubstr("cannot "),
                                HasSubstr("(No such file or directory)")));
}

TEST_F(WriteError, IsWhatARemovedRunIs) {
  const ProcessEnd end = lose_while_running("results");
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(StartsWith("tayra: "), Not(HasSubstr("stopped by"))));
}

TEST_F(WriteError, OfARemovedRunCanBeSurvived) {
  const ProcessEnd end = lose_while_running("results", {"--set", warn});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("timings.csv (it was removed)"), HasSubstr("stopped by SIGTERM")));
}

// Else it removes the checkpoints of the run that has begun in its place, and replaces its files.
TEST_F(WriteError, OfAPictureOfTheNewestStateIsOnlyAWarning) {
  const TayraProcess process(
      {"run", "a.yaml", "--set", "run.steps=1e9", "--set", "output.pictures.every_seconds=0.05"},
      folder_.path());
  const std::string live = folder_.path("results/live");
  wait_for_file(live + "/slice_y.vtkhdf", process);
  std::error_code busy;  // the run may just be making a file there
  while (fs::exists(live)) fs::remove_all(live, busy);
  write_file(live, "in the way\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  write_file(folder_.path("results/STOP"), "");
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("warning: picture results/live/slice_y.vtkhdf was not written: "));
  EXPECT_EQ(record()["message"].as<std::string>().find("could not"), std::string::npos);
}

TEST_F(WriteError, IsThatTheDirectoryWasMovedAndAnotherRunBeganInItsPlace) {
  const TayraProcess moved({"run", "a.yaml", "--set", "run.steps=30000"}, folder_.path());
  wait_for_file(folder_.path("results/checkpoints/000025.h5"), moved);
  moved.send(SIGSTOP);
  wait_until([&] { return moved.is_stopped(); }, moved, "it stands still");
  fs::rename(folder_.path("results"), folder_.path("elsewhere"));
  EXPECT_EQ(run_tayra({"run", "a.yaml"}, folder_.path()).code, 0);
  const auto read_files = [&] {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("results")))
      if (entry.is_regular_file()) texts[entry.path()] = text_of(entry.path());
    return texts;
  };
  const auto before = read_files();
  moved.send(SIGCONT);
  const ProcessEnd end = moved.wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, StartsWith("tayra: "));
  EXPECT_EQ(read_files(), before);
}

TEST_F(WriteError, OfTheProgressLosesNothingOfARun) {
  const ProcessEnd end = run_shell(TAYRA_BINARY " run a.yaml > /dev/full", folder_.path());
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.errors,
            "tayra: warning: cannot write to standard output (No space left on device): the run goes on in "
            "silence\n");
  EXPECT_EQ(record()["status"].as<std::string>(), "finished");
  EXPECT_EQ(rows("timings.csv"), 61u);
}

TEST_F(WriteError, OfTheProgressIsAlsoAReaderWhoHasLeft) {
  const ProcessEnd end =
      run_shell("(sleep 0.5; " TAYRA_BINARY " run a.yaml; echo $? > code) | true; cat code", folder_.path());
  EXPECT_EQ(end.output, "0\n");
  EXPECT_THAT(end.errors, HasSubstr("(Broken pipe): the run goes on in silence"));
  EXPECT_EQ(record()["status"].as<std::string>(), "finished");
}

TEST_F(WriteError, OfWhatACommandPrintsIsItsFailure) {
  for (const std::string command :
       {"info", "--version", "check a.yaml", "check --schema",
        "bench step --device cpu --cells 8 --steps 1 --repeats 2 --json a.json"}) {
    const ProcessEnd end = run_shell(TAYRA_BINARY " " + command + " > /dev/full", folder_.path());
    EXPECT_EQ(end.code, 1) << command;
    EXPECT_THAT(end.errors, StartsWith("tayra: cannot write to standard output")) << command;
    EXPECT_EQ(std::count(end.errors.begin(), end.errors.end(), '\n'), 1) << end.errors;
  }
}

#ifdef BAD_DISK
constexpr const char* on_bad_disk = "LD_PRELOAD=" BAD_DISK " DISK_FILES='*/checkpoints/0*' ";

// Else a crash could leave a name without what it names.
TEST_F(WriteError, IsThatADiskDidNotTakeAFileAndNoNameIsGivenToIt) {
  for (const std::string file : {"config.yaml", "run.json", "snapshots/snapshots.xmf",
                                 "snapshots/000000.vtkhdf", "checkpoints/000025.h5"}) {
    const ProcessEnd end = run_shell("LD_PRELOAD=" BAD_DISK " DISK_FAILS=1 DISK_FILES='*/results/" + file +
                                         ".tmp' exec " TAYRA_BINARY " run a.yaml --force",
                                     folder_.path());
    EXPECT_EQ(end.code, 1) << file;
    EXPECT_THAT(end.errors, AllOf(HasSubstr("results/" + file), HasSubstr("(Input/output error)")));
    EXPECT_FALSE(fs::exists(folder_.path("results/" + file))) << file;
    expect_no_half_file();
  }
}

// Else a crash could lose the name of a file whose older ones have been removed by then.
TEST_F(WriteError, IsNoneOnceTheNameOfACheckpointIsOnTheDiskToo) {
  const TayraProcess process(
      {"-c", "LD_PRELOAD=" BAD_DISK " DISK_HANGS=1 DISK_FILES='*/results/checkpoints' exec " TAYRA_BINARY
             " run a.yaml"},
      folder_.path(), "sh");
  wait_until([&] { return process.is_stopped(); }, process, "the folder is forced to the disk");
  EXPECT_TRUE(fs::exists(folder_.path("results/checkpoints/000025.h5")));
  EXPECT_FALSE(fs::exists(folder_.path("results/checkpoints/000025.h5.tmp")));
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().code, -SIGKILL);
}

TEST_F(WriteError, OfALogIsHeardOfBeforeACheckpointThatCountsOnIt) {
  for (const std::string log : {"timings.csv", "slab_timings.csv", "diagnostics.csv"}) {
    const ProcessEnd end = run_shell("LD_PRELOAD=" BAD_DISK " DISK_FAILS=1 DISK_FILES='*/results/" + log +
                                         "' exec " TAYRA_BINARY " run a.yaml --force --slabs 2",
                                     folder_.path());
    EXPECT_EQ(end.code, 1) << log;
    EXPECT_THAT(end.errors, HasSubstr("cannot write results/" + log + " (Input/output error)"));
    EXPECT_FALSE(fs::exists(folder_.path("results/checkpoints/000025.h5"))) << log;
  }
}

TEST_F(WriteError, IsNoneWhereTheLastGoodSnapshotIsStillOnItsWayWhenTheFlowBreaksDown) {
  const ProcessEnd end = run_shell(
      "LD_PRELOAD=" BAD_DISK " DISK_SECONDS=0.3 DISK_FILES='*/snapshots/0*' exec " TAYRA_BINARY
      " run a.yaml --set problem.atwood=0.98 --set numerics.scheme=roe3 --set numerics.positivity=false"
      " --set run.steps=100000 --set output.snapshots.every_steps=100000 --set output.checkpoints.keep=0",
      folder_.path());
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("last good snapshot: results/snapshots/000000.vtkhdf"));
}

TEST_F(WriteError, OfWhatAUserHasAskedForIsToldToHim) {
  const TayraProcess process(
      {"-c", "LD_PRELOAD=" BAD_DISK " DISK_FAILS=1 DISK_FILES='*/snapshots/0*' exec " TAYRA_BINARY
             " run a.yaml --set run.steps=1e9 --set output.on_write_error=warn"},
      folder_.path(), "sh");
  wait_for_file(folder_.path("results/checkpoints/000025.h5"), process);
  EXPECT_EQ(run_tayra({"snapshot", "results"}, folder_.path()).code, 0);
  wait_until([&] { return !fs::exists(folder_.path("results/SNAPSHOT")); }, process, "SNAPSHOT to be gone");
  process.send(SIGTERM);
  const ProcessEnd end = process.wait();
  EXPECT_THAT(end.output, AllOf(HasSubstr("what was asked for, or a file before it, could not be written"),
                                Not(HasSubstr("wrote what was asked for"))));
}

constexpr const char* slow_lists =
    "LD_PRELOAD=" BAD_DISK " DISK_SECONDS=0.5 DISK_FILES='*/snapshots.*' " TAYRA_BINARY
    " run a.yaml --set output.snapshots.every_steps=1";

/// How many snapshots there are, which both lists must name.
std::size_t expect_all_listed(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".vtkhdf") continue;
    ++count;
    for (const std::string list : {"snapshots.xmf", "snapshots.vtkhdf.series"})
      EXPECT_THAT(text_of(folder + "/" + list), HasSubstr(entry.path().filename().string()));
  }
  return count;
}

// Else frequent small snapshots would take ever longer.
TEST_F(WriteError, IsNoneWhereListsAreSlowToWriteAndNameAllSnapshotsAtTheEnd) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessEnd end = run_shell(slow_lists, folder_.path());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_LT(seconds.count(), 30) << "both lists 61 times would take 61 s";
  EXPECT_EQ(expect_all_listed(folder_.path("results/snapshots")), 61u);
}

TEST_F(WriteError, OfAListIsCountedOnceForEachSnapshotHoweverManyStepsFollow) {
  const ProcessEnd end =
      run_shell("LD_PRELOAD=" BAD_DISK " DISK_FAILS=1 DISK_FILES='*/snapshots.*' exec " TAYRA_BINARY
                " run a.yaml --set output.on_write_error=warn --set output.checkpoints.keep=0",
                folder_.path());
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("cannot write results/snapshots/snapshots.xmf (Input/output error)"));
  EXPECT_EQ(record()["message"].as<std::string>(), "4 files could not be written; see the warnings");
}

TEST_F(WriteError, LeavesNoSnapshotUnlistedHoweverSlowListsAre) {
  const std::string without_checkpoints =
                        "until rm -r results/checkpoints; do :; done; touch results/checkpoints",
                    interrupted = "kill -INT $!";
  for (const std::string& blow : {without_checkpoints, interrupted}) {
    const ProcessEnd end =
        run_shell("rm -rf results; " + std::string(slow_lists) +
                      " --set run.steps=3000 & until [ -e results/snapshots/000009.vtkhdf ];"
                      " do sleep 0.05; kill -0 $! || exit; done; " +
                      blow + "; wait $!",
                  folder_.path());
    EXPECT_EQ(end.code, 1) << blow << end.errors;
    EXPECT_GE(expect_all_listed(folder_.path("results/snapshots")), 10u) << blow;
  }
}

TEST_F(WriteError, OfTheOnlySnapshotIsToldWhereTheFlowBreaksDown) {
  for (const std::string reaction : {"stop", "warn"}) {
    const ProcessEnd end = run_shell(
        "LD_PRELOAD=" BAD_DISK " DISK_SECONDS=3 DISK_FAILS=1 DISK_FILES='*/snapshots/0*' exec " TAYRA_BINARY
        " run a.yaml --force --set problem.atwood=0.98 --set numerics.scheme=roe3"
        " --set numerics.positivity=false --set run.steps=100000"
        " --set output.snapshots.every_steps=100000 --set output.checkpoints.keep=0"
        " --set output.on_write_error=" +
            reaction,
        folder_.path());
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.errors, HasSubstr("results/snapshots/000000.vtkhdf")) << reaction;
    EXPECT_THAT(end.errors, HasSubstr("the flow broke down in cell (")) << reaction;
    EXPECT_THAT(end.errors, HasSubstr("last good snapshot: none was written")) << reaction;
  }
}

TEST_F(WriteError, IsNoneWhereADiskIsSlowAndTheStepAfterwardsTellsHowLongItTook) {
  const ProcessEnd end =
      run_shell(std::string(on_bad_disk) + "DISK_SECONDS=0.5 exec " TAYRA_BINARY
                                           " run a.yaml --set output.writer_memory=0 --set run.steps=30",
                folder_.path());
  ASSERT_EQ(end.code, 0) << end.errors;
  std::istringstream log(text_of(folder_.path("results/timings.csv")));
  std::string row;
  std::vector<int> slow;
  for (std::getline(log, row); std::getline(log, row);) {
    std::vector<std::string> cells;
    std::istringstream text(row);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (std::stod(cells.at(7)) >= 500) slow.push_back(std::stoi(cells.front()));
  }
  EXPECT_THAT(slow, testing::ElementsAre(26));
}

TEST_F(WriteError, NeverKeepsARunFromEndingAtOnceOnTheThirdSignal) {
  const TayraProcess process({"-c", std::string(on_bad_disk) + "DISK_SECONDS=1000 exec " TAYRA_BINARY
                                                               " run a.yaml --set run.steps=1e9"},
                             folder_.path(), "sh");
  wait_for_file(folder_.path("results/checkpoints/000025.h5.tmp"), process);
  process.send(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(process.lives()) << "its files are not on the disk";
  process.send(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(process.lives());
  process.send(SIGTERM);
  wait_until([&] { return !process.lives(); }, process, "the end");
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, -SIGTERM);
  EXPECT_THAT(end.errors,
              HasSubstr("tayra: the run is ending already, with a checkpoint if it keeps any: a third "
                        "signal kills it"));
}

class SlowWriteError : public WriteError {};

// Not under sanitizers, which take terabytes of addresses.
TEST_F(SlowWriteError, IsToldBeforeHdf5CrashesForWantOfMemory) {
  std::string told;
  int code = 1;
  for (int kilobytes = 40000; code != 0 && kilobytes < 4'000'000; kilobytes += kilobytes / 20) {
    // Below that libraries fail as they are loaded, before any of Tayra's own code.
    if (run_shell(fmt::format("ulimit -v {}; exec {} --version", kilobytes, TAYRA_BINARY), folder_.path())
            .code)
      continue;
    const ProcessEnd end = run_shell(
        fmt::format("ulimit -v {}; exec {} run a.yaml --force --quiet --device cpu", kilobytes, TAYRA_BINARY),
        folder_.path());
    code = end.code;
    EXPECT_THAT(code, AnyOf(0, 1, 2, 127)) << kilobytes << " kB: " << end.errors;
    told += end.errors;
  }
  EXPECT_EQ(code, 0);
  EXPECT_THAT(told, HasSubstr("of memory, which can't be had (Cannot allocate memory): raise the limit"));
}

TEST_F(WriteError, IsNoneWhereASecondSignalComesWhileTheEndIsWritten) {
  const TayraProcess process({"-c", std::string(on_bad_disk) + "DISK_SECONDS=1 exec " TAYRA_BINARY
                                                               " run a.yaml --set run.steps=1e9"},
                             folder_.path(), "sh");
  wait_for_file(folder_.path("results/checkpoints/000025.h5.tmp"), process);
  process.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  process.send(SIGINT);
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              AllOf(HasSubstr("a third signal kills it"), HasSubstr("stopped by SIGINT at step")));
  EXPECT_FALSE(fs::is_empty(folder_.path("results/checkpoints")));
}

// A terminal that closes sends one, and so does its shell.
TEST_F(WriteError, IsNoneWhereASecondHangupComesWhileTheEndIsWritten) {
  const TayraProcess process({"-c", std::string(on_bad_disk) + "DISK_SECONDS=1 exec " TAYRA_BINARY
                                                               " run a.yaml --set run.steps=1e9"},
                             folder_.path(), "sh");
  wait_for_file(folder_.path("results/checkpoints/000025.h5.tmp"), process);
  process.send(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_TRUE(process.lives()) << "its files are not on the disk";
  process.send(SIGHUP);
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("stopped by SIGHUP at step"));
}
#endif

TEST_F(WriteError, IsWhatALostPermissionIs) {
  // Nothing is forbidden to root, who runs it as nobody.
  std::vector<std::string> words{"--reuid=65534", "--regid=65534", "--clear-groups", TAYRA_BINARY};
  const bool is_root = geteuid() == 0;
  if (!is_root) words = {TAYRA_BINARY};
  const std::string program = is_root ? "setpriv" : "env";
  fs::permissions(folder_.path(), fs::perms::all);
  auto version = words;
  version.push_back("--version");
  if (TayraProcess(version, folder_.path(), program).wait().code != 0)
    GTEST_SKIP() << "another user can't start " << TAYRA_BINARY;
  for (const char* word : {"run", "a.yaml", "--set", "run.steps=1e9"}) words.push_back(word);
  const TayraProcess process(words, folder_.path(), program);
  wait_for_file(folder_.path("results/snapshots/000002.vtkhdf"), process);
  const auto readable = fs::perms::owner_read | fs::perms::owner_exec;
  fs::permissions(folder_.path("results/snapshots"), readable);
  const ProcessEnd end = process.wait();
  fs::permissions(folder_.path("results/snapshots"), fs::perms::owner_all);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("results/snapshots/"),
                                AnyOf(HasSubstr("was not written"),
                                      HasSubstr("cannot write results/snapshots/snapshots.")),
                                HasSubstr("Permission denied")));
}

}  // namespace
}  // namespace tayra
