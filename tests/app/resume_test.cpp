// Tests of runs that are interrupted, killed and resumed: the end is that of a run that never stopped.
#include "app/resume.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cctype>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <thread>

#include "app/tayra_process.hpp"
#include "io/checkpoint_numbers.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string config = R"(problem: {name: rt_single}
grid: {cells: [8, 8, 12], upper: [1, 1, 2]}
physics: {scalars: [fraction]}
run: {steps: 60}
output:
  directory: results
  snapshots: {every_steps: 7, every_time: 0.05}
  parts:
    middle: {every_steps: 9, lower: [0, 0.5, 0], upper: [1, 0.5, 2], fields: [vorticity], compression: deflate}
    probe: {every_steps: 1, lower: [0.5, 0.5, 1], upper: [0.5, 0.5, 1], fields: [density, fraction], one_file: true}
    shadow: {every_steps: 4, fields: [density, velocity], precision: double, mean_along: z, one_file: true}
  diagnostics: {every_steps: 4}
  statistics:
    every_steps: 3
    spectra: {every_steps: 4, fields: [density]}
    pdf: {every_time: 0.05, fields: [fraction]}
  checkpoints: {every_steps: 5, keep: 3}
)";

/// The first `columns` of every row.
std::string first_columns(const std::string& text, int columns) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    std::size_t end = 0;
    for (int i = 0; i < columns; ++i) end = line.find(',', end) + 1;
    kept += line.substr(0, end) + "\n";
  }
  return kept;
}

/// All that a run left and that does not depend on when and where it ran, by name.
using Remains = std::map<std::string, std::string>;

Remains remains_of(const std::string& directory) {
  Remains files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), directory).string()] = text_of(entry.path().string());
  files.erase("run.json");
  files.erase("config.yaml");  // names its directory and slabs
  files.erase("slab_timings.csv");
  std::erase_if(files, [](const auto& file) { return file.first.starts_with("live/"); });
  files["timings.csv"] = first_columns(files["timings.csv"], 3);
  return files;
}

void expect_same(const Remains& one, const Remains& other) {
  for (const auto& [name, content] : one) {
    const auto found = other.find(name);
    ASSERT_NE(found, other.end()) << name << " is missing";
    EXPECT_TRUE(content == found->second) << name << " differs";
  }
  for (const auto& [name, content] : other) EXPECT_TRUE(one.contains(name)) << name << " is too many";
}

class Resume : public testing::Test {
 protected:
  Resume() { write_file(folder_.path("a.yaml"), config); }

  ProcessEnd run(const std::string& directory, const std::vector<std::string>& more = {}) {
    return run_tayra(words(directory, more), folder_.path());
  }
  static std::vector<std::string> words(const std::string& directory, const std::vector<std::string>& more) {
    std::vector<std::string> all{"run", "a.yaml", "--output", directory};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string fingerprint(const std::string& directory) {
    const std::string record = text_of(folder_.path(directory + "/run.json"));
    std::smatch found;
    return std::regex_search(record, found, std::regex("\"fingerprint\": \"(\\w+)\""))
               ? found[1].str()
               : directory + " has none";
  }
  Remains remains(const std::string& directory) { return remains_of(folder_.path(directory)); }
  Remains undisturbed() {
    EXPECT_EQ(run("whole").code, 0);
    return remains("whole");
  }
  /// Runs and kills until `kills` have hit; every time the run gets to its end, it must be the undisturbed
  /// one.
  void kill_and_resume(int kills);

  TemporaryDirectory folder_;
};

TEST_F(Resume, FromAnEarlierCheckpointCutsRowsThatCameLater) {
  const Remains whole = undisturbed();
  EXPECT_EQ(run("whole", {"--resume", "whole/checkpoints/000050.h5", "--slabs", "2"}).code, 0);
  expect_same(remains("whole"), whole);
}

TEST_F(Resume, GoesOnToTheSameEndOnAnyNumberOfSlabs) {
  const Remains whole = undisturbed();
  for (const char* slabs : {"1", "2", "5"}) {
    const std::string directory = std::string("cut_") + slabs;
    EXPECT_EQ(run(directory, {"--set", "run.steps=33"}).code, 0);
    const ProcessEnd end = run(directory, {"--resume", "--slabs", slabs});
    EXPECT_EQ(end.code, 0) << end.errors;
    EXPECT_THAT(end.output,
                StartsWith("going on from " + directory + "/checkpoints/000033.h5: step 33, time "));
    expect_same(whole, remains(directory));
  }
}

TEST_F(Resume, InSinglePrecisionGoesOnToTheSameEnd) {
  write_file(folder_.path("a.yaml"), config + "numerics: {precision: single, scheme: weno3}\n");
  const Remains whole = undisturbed();
  run("cut", {"--set", "run.steps=33"});
  EXPECT_EQ(run("cut", {"--resume"}).code, 0);
  expect_same(whole, remains("cut"));
}

TEST_F(Resume, OfAFinishedRunChangesNothing) {
  const Remains whole = undisturbed();
  const std::string record = text_of(folder_.path("whole/run.json"));
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 0);
  EXPECT_THAT(end.output, HasSubstr("whole holds this run, which has finished: nothing is left to do"));
  EXPECT_EQ(text_of(folder_.path("whole/run.json")), record);
  expect_same(whole, remains("whole"));
}

TEST_F(Resume, OfARunThatFinishedPastItsNewestCheckpointChangesNothing) {
  run("whole", {"--set", "run.steps=33"});
  EXPECT_EQ(run("whole", {"--resume", "--set", "output.checkpoints.keep=0"}).code, 0);
  const Remains whole = remains("whole");
  const std::string record = text_of(folder_.path("whole/run.json"));
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("whole holds this run, which has finished: nothing is left to do"));
  const ProcessEnd shorter = run("whole", {"--resume", "--set", "run.steps=50"});
  EXPECT_EQ(shorter.code, 2);
  EXPECT_THAT(shorter.errors, StartsWith("tayra: whole is at step 60, past run.steps 50: set a later end"));
  EXPECT_EQ(text_of(folder_.path("whole/run.json")), record);
  expect_same(whole, remains("whole"));
  const std::string older = "whole/checkpoints/000033.h5", none = "output.checkpoints.keep=0";
  const ProcessEnd longer = run("whole", {"--resume", "--set", none, "--set", "run.steps=70"});
  EXPECT_THAT(longer.output, StartsWith("going on from " + older));
  EXPECT_THAT(run("whole", {"--resume", older}).output, StartsWith("going on from " + older));
}

TEST_F(Resume, GoesOnToTheSameEndWithDiagnosticsInTime) {
  const std::string in_time = "output.diagnostics={every_time: 0.03, every_steps: 1000}";
  EXPECT_EQ(run("whole", {"--set", in_time}).code, 0);
  EXPECT_EQ(run("cut", {"--set", in_time, "--set", "run.steps=33"}).code, 0);
  const ProcessEnd end = run("cut", {"--set", in_time, "--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  expect_same(remains("whole"), remains("cut"));
}

TEST_F(Resume, GoesOnCountingTheFacesThatWereLimitedSinceTheLastDiagnostics) {
  write_file(folder_.path("a.yaml"),
             R"(problem: {name: shock_tube, left: {velocity: -3}, right: {velocity: 3}}
grid: {cells: [32, 4, 4]}
run: {steps: 12}
output: {diagnostics: {every_steps: 12}, checkpoints: {every_steps: 7, keep: 1}}
)");
  const Remains whole = undisturbed();
  EXPECT_THAT(whole.at("diagnostics.csv"), Not(testing::EndsWith(",0\n"))) << "some should be limited";
  EXPECT_EQ(run("cut", {"--set", "run.steps=7"}).code, 0);
  EXPECT_EQ(run("cut", {"--resume"}).code, 0);
  expect_same(whole, remains("cut"));
}

TEST_F(Resume, OfAStateThatAllowsNoStepFails) {
  run("whole", {"--set", "run.steps=5"});
  const std::string path = folder_.path("whole/checkpoints/000005.h5");
  {
    const CheckpointFile file(path);
    CheckpointHead head = file.head();
    head.position.clock.last.signal_rate = HUGE_VAL;
    write_checkpoint(path, head, numbers_of(file));
  }
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, StartsWith("tayra: no step is possible from step 5, time "));
  EXPECT_THAT(text_of(folder_.path("whole/run.json")), HasSubstr("\"status\": \"failed\""));
}

#ifdef BAD_DISK
// As `tayra refine` would have made it: the run has its start still to write.
TEST_F(Resume, OfAStateThatAllowsNoStepNamesTheStartThoughItIsStillOnItsWay) {
  run("whole", {"--set", "run.steps=5"});
  fs::create_directories(folder_.path("stuck/checkpoints"));
  {
    const CheckpointFile file(folder_.path("whole/checkpoints/000005.h5"));
    CheckpointHead head = file.head();
    head.position = {.clock = head.position.clock};
    head.position.clock.last.signal_rate = HUGE_VAL;
    write_checkpoint(folder_.path("stuck/checkpoints/000005.h5"), head, numbers_of(file));
  }
  const ProcessEnd end =
      run_shell("LD_PRELOAD=" BAD_DISK " DISK_SECONDS=0.3 DISK_FILES='*/snapshots/0*' exec " TAYRA_BINARY
                " run a.yaml --output stuck --resume",
                folder_.path());
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("check the last snapshot: stuck/snapshots/000000.vtkhdf"));
}
#endif

TEST_F(Resume, OfARunThatWasKilledBeforeItRemovedAnOldCheckpointRemovesIt) {
  const Remains whole = undisturbed();
  fs::copy_file(folder_.path("whole/checkpoints/000050.h5"), folder_.path("whole/checkpoints/000045.h5"));
  fs::remove(folder_.path("whole/run.json"));
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  expect_same(whole, remains("whole"));
}

TEST_F(Resume, WithoutAPartInOneFileKeepsItsRowsAndTheirList) {
  const Remains whole = undisturbed();
  ASSERT_TRUE(whole.contains("parts/shadow.xmf"));
  std::string without = config;
  const std::size_t begin = without.find("    shadow:");
  without.erase(begin, without.find('\n', begin) + 1 - begin);
  write_file(folder_.path("a.yaml"), without);
  for (const char* steps : {"run.steps=70", "run.steps=80"}) {
    const ProcessEnd end = run("whole", {"--resume", "--set", steps});
    ASSERT_EQ(end.code, 0) << end.errors;
    Remains later = remains("whole");
    EXPECT_EQ(later["parts/shadow.xmf"], whole.at("parts/shadow.xmf"));
    EXPECT_TRUE(later["parts/shadow.h5"] == whole.at("parts/shadow.h5"));
  }
}

TEST_F(Resume, AfterASignalGoesOnToTheSameEnd) {
  write_file(folder_.path("a.yaml"), config + "numerics: {cfl: 0.5}\n");
  for (const int signal : {SIGTERM, SIGUSR1}) {
    const std::string directory = "stopped_" + std::to_string(signal);
    const TayraProcess process(words(directory, {"--set", "run.steps=1e9"}), folder_.path());
    const std::string timings = folder_.path(directory + "/timings.csv");
    wait_until([&] { return text_of(timings).size() >= 3000; }, process, "3000 bytes of " + timings);
    process.send(signal);
    const ProcessEnd end = process.wait();
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.errors, AllOf(HasSubstr(signal == SIGTERM ? "SIGTERM" : "SIGUSR1"),
                                  HasSubstr("go on with --resume")));
    std::istringstream stopped_at(end.errors.substr(end.errors.find("step ") + 5));
    long long step = 0;
    stopped_at >> step;
    EXPECT_EQ(run("as_far", {"--force", "--set", "run.steps=" + std::to_string(step)}).code, 0);
    EXPECT_EQ(fingerprint(directory), fingerprint("as_far"));
    const std::string steps = "run.steps=" + std::to_string(step + 20);
    EXPECT_EQ(run(directory, {"--resume", "--set", steps}).code, 0);
    fs::remove_all(folder_.path("whole"));
    EXPECT_EQ(run("whole", {"--set", steps}).code, 0);
    expect_same(remains("whole"), remains(directory));
  }
}

/// Steps that write hardly anything.
std::vector<std::string> steps_alone(long long steps) {
  return {"--set", "run.steps=" + std::to_string(steps),
          "--set", "output.checkpoints.every_steps=1e9",
          "--set", "output.snapshots={every_steps: 1e9, every_time: 1e9}"};
}

/// The number behind a text.
long long number_after(const std::string& before, const std::string& text) {
  const std::size_t place = text.find(before);
  return place == std::string::npos ? -1 : std::stoll(text.substr(place + before.size()));
}

TEST_F(Resume, AfterItsMinutesOnTheWallGoesOnToTheSameEnd) {
  auto options = steps_alone(1'000'000'000);
  options.insert(options.end(), {"--set", "run.wall_minutes=0.01"});
  const ProcessEnd end = run("stopped", options);
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(text_of(folder_.path("stopped/run.json")), HasSubstr("\"status\": \"stopped\""));
  const long long step = number_after("stopped after 0.01 minutes (run.wall_minutes) at step ", end.output);
  auto on = steps_alone(step + 20);
  EXPECT_EQ(run("whole_again", on).code, 0);
  on.push_back("--resume");
  EXPECT_EQ(run("stopped", on).code, 0);
  EXPECT_EQ(fingerprint("stopped"), fingerprint("whole_again"));
}

TEST_F(Resume, AfterAFileHasAskedItToStopGoesOnToTheSameEnd) {
  const TayraProcess process(words("asked", steps_alone(1'000'000'000)), folder_.path());
  const auto at = [&](const std::string& name) { return folder_.path("asked/" + name); };
  wait_until([&] { return text_of(at("timings.csv")).size() >= 3000; }, process, "3000 bytes of timings.csv");
  fs::create_symlink(at("timings.csv"), at("STOP"));  // asks nothing
  for (const auto& [what, file, folder] :
       {std::tuple("snapshot", "SNAPSHOT", "snapshots"), {"checkpoint", "CHECKPOINT", "checkpoints"}}) {
    const auto files = [&, in = at(folder)] {
      return fs::exists(in) ? std::distance(fs::directory_iterator(in), {}) : 0;
    };
    const auto before = files();
    EXPECT_EQ(run_tayra({what, "asked"}, folder_.path()).code, 0);
    wait_until([&, name = at(file)] { return !fs::exists(name); }, process,
               std::string(file) + " to be gone");
    EXPECT_GT(files(), before) << what;
  }
  fs::remove(at("STOP"));
  EXPECT_EQ(run_tayra({"stop", "asked"}, folder_.path()).code, 0);
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_FALSE(fs::exists(at("STOP")));
  auto on = steps_alone(number_after("stopped as its file STOP asked at step ", end.output) + 20);
  EXPECT_EQ(run("whole_again", on).code, 0);
  on.push_back("--resume");
  EXPECT_EQ(run("asked", on).code, 0);
  EXPECT_EQ(fingerprint("asked"), fingerprint("whole_again"));
  const ProcessEnd late = run_tayra({"stop", "asked"}, folder_.path());
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.errors, HasSubstr("no run is under way in asked (run.json says: finished)"));
}

TEST_F(Resume, SkipsADamagedCheckpointAndSaysSo) {
  const Remains whole = undisturbed();
  fs::resize_file(folder_.path("whole/checkpoints/000060.h5"), 5000);
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(
      end.output,
      AllOf(HasSubstr("skipping a checkpoint: whole/checkpoints/000060.h5 is damaged: cannot open the file"),
            HasSubstr("going on from whole/checkpoints/000055.h5"),
            HasSubstr("whole/checkpoints/000060.h5, which could not be read, is kept as "
                      "whole/checkpoints/damaged/000060.h5: remove it when")));
  Remains after = remains("whole");
  EXPECT_EQ(after["checkpoints/damaged/000060.h5"], whole.at("checkpoints/000060.h5").substr(0, 5000));
  after.erase("checkpoints/damaged/000060.h5");
  expect_same(whole, after);
}

/// Flips a bit of the last number, of which only the checksum of its plane tells.
void damage_last_plane(const std::string& path) {
  std::size_t end = 0;
  {
    const h5::Handle file = h5::open_file(path);
    const h5::Handle state = h5::open_dataset(file, "state");
    end = H5Dget_offset(state) + H5Dget_storage_size(state);
  }
  std::string bytes = text_of(path);
  bytes.at(end - 3) ^= 1;
  write_file(path, bytes);
}

TEST_F(Resume, SkipsACheckpointOfWhichOnePlaneIsDamagedAndKeepsIt) {
  Remains expected = undisturbed();
  const std::string newest = folder_.path("whole/checkpoints/000060.h5");
  damage_last_plane(newest);
  expected["checkpoints/damaged/000060.h5"] = text_of(newest);
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output,
              AllOf(HasSubstr("skipping a checkpoint: whole/checkpoints/000060.h5 is damaged: plane "
                              "11 has another checksum than was written"),
                    HasSubstr("going on from whole/checkpoints/000055.h5")));
  expect_same(expected, remains("whole"));
}

TEST_F(Resume, KeepsEveryCheckpointThatItSkips) {
  Remains expected = undisturbed();
  const auto damage = [&](const std::string& name, char mark, const std::string& kept_as) {
    expected[kept_as] = std::string(5000, mark);
    write_file(folder_.path("whole/" + name), expected[kept_as]);
  };
  damage("checkpoints/000060.h5", 'a', "checkpoints/damaged/000060.h5");
  damage("checkpoints/000055.h5", 'b', "checkpoints/damaged/000055.h5");
  EXPECT_EQ(run("whole", {"--resume"}).code, 0);
  expect_same(expected, remains("whole"));
  damage("checkpoints/000060.h5", 'c', "checkpoints/damaged-2/000060.h5");
  EXPECT_EQ(run("whole", {"--resume"}).code, 0);
  expect_same(expected, remains("whole"));
  EXPECT_EQ(run("whole", {"--resume", "whole/checkpoints/000050.h5"}).code, 0);
  EXPECT_EQ(run("whole", {"--force"}).code, 0);
  expect_same(expected, remains("whole"));
}

TEST_F(Resume, FromAnEarlierCheckpointKeepsLaterOnesThatCannotBeOpened) {
  Remains expected = undisturbed();
  expected["checkpoints/damaged/000060.h5"] = std::string(5000, 'a');
  write_file(folder_.path("whole/checkpoints/000060.h5"), expected["checkpoints/damaged/000060.h5"]);
  const ProcessEnd end = run("whole", {"--resume", "whole/checkpoints/000050.h5"});
  EXPECT_EQ(end.code, 0);
  EXPECT_THAT(end.output, HasSubstr("is kept as whole/checkpoints/damaged/000060.h5"));
  expect_same(expected, remains("whole"));
}

TEST_F(Resume, WithoutAnyIntactCheckpointIsRefusedAndLeavesEverything) {
  undisturbed();
  for (const auto& file : fs::directory_iterator(folder_.path("whole/checkpoints")))
    fs::resize_file(file, 5000);
  const Remains before = remains("whole");
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              StartsWith("tayra: no checkpoint is intact (whole/checkpoints/000060.h5 is damaged"));
  expect_same(before, remains("whole"));
}

TEST_F(Resume, OfNothingStartsFromTheBeginning) {
  const Remains whole = undisturbed();
  const ProcessEnd end = run("new", {"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, StartsWith("no checkpoint in new/checkpoints: starting from the beginning\n"));
  expect_same(whole, remains("new"));
}

TEST_F(Resume, OfAFinishedRunWithoutCheckpointsChangesNothing) {
  run("finished", {"--set", "output.checkpoints.keep=0"});
  const Remains before = remains("finished");
  const ProcessEnd end = run("finished", {"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("finished holds this run, which has finished: nothing is left to do"));
  EXPECT_THAT(run("finished", {"--resume", "--set", "run.steps=50"}).errors,
              StartsWith("tayra: finished is at step 60, past run.steps 50: set a later end"));
  expect_same(before, remains("finished"));
}

TEST_F(Resume, OfAnotherRunThatFinishedWithoutCheckpointsIsNotTakenForFinished) {
  run("finished", {"--set", "output.checkpoints.keep=0"});
  const Remains before = remains("finished");
  const ProcessEnd end = run("finished", {"--resume", "--set", "numerics.cfl=0.3"});
  EXPECT_EQ(end.code, 2) << end.output;
  EXPECT_THAT(end.errors, HasSubstr("holds a finished run without a checkpoint"));
  expect_same(before, remains("finished"));
}

TEST_F(Resume, OfARunWithoutCheckpointsThatFinishedByItsTimeChangesNothing) {
  const std::vector<std::string> in_time{"--set", "output.checkpoints.keep=0", "--set", "run.time=0.05",
                                         "--set", "run.steps=1000000"};
  EXPECT_EQ(run("finished", in_time).code, 0);
  auto again = in_time;
  again.emplace_back("--resume");
  const ProcessEnd end = run("finished", again);
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("finished holds this run, which has finished: nothing is left to do"));
}

#ifdef BAD_DISK
TEST_F(Resume, OfARunThatIsAboutToEndWaitsForItsEnd) {
  const TayraProcess ending(
      {"-c", "LD_PRELOAD=" BAD_DISK " DISK_FILES='*/checkpoints/0*' DISK_SECONDS=0.5 exec " TAYRA_BINARY
             " run a.yaml --output whole --set run.steps=1e9 --set output.checkpoints.every_steps=1e9"},
      folder_.path(), "sh");
  wait_for_file(folder_.path("whole/snapshots/000002.vtkhdf"), ending);
  ending.send(SIGTERM);
  EXPECT_THAT(run("whole", {"--resume", "--set", "run.steps=1"}).errors, HasSubstr("past run.steps 1"));
  EXPECT_EQ(ending.wait().code, 1);
}
#endif

TEST_F(Resume, NeverReplacesAFinishedOrAnotherRunWithoutCheckpoints) {
  run("finished", {"--set", "output.checkpoints.keep=0"});
  Remains before = remains("finished");
  EXPECT_THAT(run("finished", {"--resume", "--set", "run.steps=70"}).errors,
              HasSubstr("holds a finished run without a checkpoint"));
  expect_same(before, remains("finished"));
  TayraProcess stopped(words("stopped", {"--set", "output.checkpoints.keep=0", "--set", "run.steps=1e9"}),
                       folder_.path());
  wait_for_file(folder_.path("stopped/snapshots/000003.vtkhdf"), stopped);
  stopped.send(SIGTERM);
  EXPECT_EQ(stopped.wait().code, 1);
  const Remains results = remains("stopped");
  EXPECT_THAT(run("stopped", {"--resume"}).errors, HasSubstr("holds a stopped run without a checkpoint"));
  expect_same(results, remains("stopped"));
  fs::remove(folder_.path("finished/run.json"));
  const ProcessEnd end = run("finished", {"--resume", "--set", "numerics.cfl=0.3"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("numerics.cfl is 0.6 there, 0.3 here"));
  expect_same(before, remains("finished"));
}

TEST_F(Resume, NeverReplacesARunWithoutCheckpointsWhoseRecordIsTorn) {
  run("finished", {"--set", "output.checkpoints.keep=0"});
  const std::string path = folder_.path("finished/run.json"), record = text_of(path);
  const Remains before = remains("finished");
  for (const std::string& torn : {record.substr(0, record.size() / 2), std::string(), std::string("[1, 2]"),
                                  std::string(R"({"status": [5]})"), std::string(record.size(), '\0')}) {
    write_file(path, torn);
    const ProcessEnd end = run("finished", {"--resume"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr("run.json does not tell how it ended (it is damaged)"));
    expect_same(before, remains("finished"));
  }
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(run("finished", {"--resume"}).errors, HasSubstr("run.json does not tell how it ended"));
}

TEST_F(Resume, OpensNothingThatIsNoFileAndSaysWhatItIs) {
  const Remains whole = undisturbed();
  fs::create_directories(folder_.path("mine"));
  ASSERT_EQ(mkfifo(folder_.path("mine/pipe").c_str(), 0600), 0);
  fs::create_symlink(folder_.path("mine/pipe"), folder_.path("whole/checkpoints/000099.h5"));
  write_file(folder_.path("whole/checkpoints/99999999999999999999999.h5"), "mine");
  const ProcessEnd end = run("whole", {"--resume", "--set", "run.steps=61"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors + end.output,
              HasSubstr("whole/checkpoints/000099.h5 is damaged: cannot open the file "
                        "(it is a pipe (FIFO))"));
  EXPECT_EQ(text_of(folder_.path("whole/checkpoints/99999999999999999999999.h5")), "mine");
  EXPECT_THAT(run("new", {"--resume", "mine/pipe"}).errors,
              StartsWith("tayra: --resume mine/pipe: is a pipe (FIFO): name a checkpoint"));
  EXPECT_THAT(run_tayra({"check", "mine/pipe"}, folder_.path()).errors,
              StartsWith("tayra: mine/pipe: is a pipe (FIFO): name a YAML file"));
}

// A folder on a disk that is away for a while is not one that never was.
TEST_F(Resume, OfCheckpointsOutOfReachIsRefusedAndLeavesEverything) {
  undisturbed();
  fs::remove(folder_.path("whole/run.json"));  // as if it had been killed
  fs::rename(folder_.path("whole/checkpoints"), folder_.path("away"));
  fs::create_symlink("/nowhere/checkpoints", folder_.path("whole/checkpoints"));
  const Remains before = remains("whole");
  const ProcessEnd end = run("whole", {"--resume"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, StartsWith("tayra: cannot read whole/checkpoints (No such file or directory)"));
  expect_same(before, remains("whole"));
}

TEST_F(Resume, OfARunWhoseConfigCannotBeReadIsRefusedAndLeavesEverything) {
  run("unknown", {"--set", "output.checkpoints.keep=0"});
  write_file(folder_.path("unknown/config.yaml"), "[");
  write_file(folder_.path("unknown/run.json"), R"({"status": "running"})");
  const Remains before = remains("unknown");
  const ProcessEnd end = run("unknown", {"--resume"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("config.yaml cannot be read"));
  expect_same(before, remains("unknown"));
}

TEST_F(Resume, WithOtherPhysicsIsRefusedAndLeavesEverything) {
  const Remains whole = undisturbed();
  const ProcessEnd end =
      run("whole", {"--resume", "--set", "problem.atwood=0.3", "--set", "grid.cells=[8,8,14]"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("grid.cells is [8, 8, 12] there, [8, 8, 14] here"),
                                HasSubstr("problem.atwood is 0.5 there, 0.3 here")));
  expect_same(whole, remains("whole"));
}

TEST_F(Resume, GoesOnToTheSameEndUnderGravityThatVaries) {
  const std::string gravity = "physics.gravity=[[0, -1], [0.1, -1], [0.1, 1], [0.3, -2]]";
  EXPECT_EQ(run("whole", {"--set", gravity}).code, 0);
  const Remains whole = remains("whole");
  for (const char* slabs : {"1", "3"}) {
    const std::string directory = std::string("cut_") + slabs;
    EXPECT_EQ(run(directory, {"--set", "run.steps=33", "--set", gravity}).code, 0);
    EXPECT_EQ(run(directory, {"--resume", "--slabs", slabs, "--set", gravity}).code, 0);
    expect_same(whole, remains(directory));
  }
}

TEST_F(Resume, MayGoOnUnderAnotherGravityThatBeginsAsItDid) {
  const auto with = [](const std::string& gravity) { return "physics.gravity=" + gravity; };
  const std::string jumps = with("[[0, -1], [0.2, -1], [0.2, 3]]");
  EXPECT_EQ(run("whole", {"--set", jumps, "--set", "run.steps=100"}).code, 0);
  EXPECT_EQ(run("changed", {"--set", "run.steps=33"}).code, 0);
  const Remains before = remains("changed");
  for (const std::string& other : {with("-2"), with("[[0, -2], [0.5, 3]]")}) {
    const ProcessEnd end = run("changed", {"--resume", "--set", other, "--set", "run.steps=100"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors,
                AllOf(HasSubstr("physics.gravity is -1 there, "),
                      HasSubstr("physics.gravity to an expression or a table that begins with what")));
    expect_same(before, remains("changed"));
  }
  const ProcessEnd end = run("changed", {"--resume", "--set", jumps, "--set", "run.steps=100"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output,
              HasSubstr("from here on with another gravity: physics.gravity is -1 there, [[0, -1], "
                        "[0.2, -1], [0.2, 3]] here"));
  EXPECT_EQ(fingerprint("changed"), fingerprint("whole"));
  EXPECT_EQ(run("constant", {"--set", "run.steps=100"}).code, 0);
  EXPECT_NE(fingerprint("changed"), fingerprint("constant")) << "it must have come past the jump";
}

// What a run leaves names the scheme that it had: the default may be another one in a later version.
TEST_F(Resume, NeverTakesTheDefaultSchemeWhereTheRunHadAnother) {
  for (const std::string keep : {"2", "0"}) {
    const std::string directory = "keeping_" + keep, checkpoints = "output.checkpoints.keep=" + keep;
    run(directory, {"--set", "numerics.scheme=roe3", "--set", checkpoints});
    fs::remove(folder_.path(directory + "/run.json"));  // without checkpoints it is refused as finished
    const Remains before = remains(directory);
    const ProcessEnd end = run(directory, {"--resume"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr("numerics.scheme is roe3 there, muscl here"));
    expect_same(before, remains(directory));
    EXPECT_EQ(run(directory, {"--resume", "--set", "numerics.scheme=roe3"}).code, 0);
  }
}

// Whose files don't hold the pressure, which by default then followed from the box's depth, too.
TEST_F(Resume, OfARunOfAnOlderVersionKeepsThePressureThatItHad) {
  const std::vector<std::string> deep{"--set", "grid.upper=[1, 3, 2]"};
  const std::string config_file = folder_.path("older/config.yaml");
  const auto run_deep = [&](std::vector<std::string> more) {
    more.insert(more.end(), deep.begin(), deep.end());
    return run("older", more);
  };
  ASSERT_EQ(run_deep({"--set", "output.checkpoints.keep=0"}).code, 0);
  ASSERT_THAT(text_of(config_file), HasSubstr("\n  pressure: 10\n"));
  const std::regex new_keys("\n  (pressure: 10|interface: .*|profile: .*)(?=\n)");
  write_file(config_file, std::regex_replace(text_of(config_file), new_keys, ""));
  fs::remove(folder_.path("older/run.json"));  // as if it had been killed
  const ProcessEnd end = run_deep({"--resume"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(text_of(config_file), HasSubstr("\n  pressure: 30\n"));
}

TEST_F(Resume, OfARunThatStillLivesIsRefusedAndDoesItNoHarm) {
  const TayraProcess alive(
      words("whole", {"--set", "run.steps=1e9", "--set", "output.checkpoints.every_steps=10"}),
      folder_.path());
  wait_for_file(folder_.path("whole/checkpoints/000010.h5"), alive);
  for (const char* how : {"--resume", "--force"}) {
    const ProcessEnd end = run("whole", {how, "--set", "run.steps=1e9"});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, HasSubstr("whole belongs to a run that is still under way"));
  }
  alive.send(SIGTERM);
  EXPECT_THAT(alive.wait().errors, HasSubstr("go on with --resume"));
  std::istringstream rows(first_columns(text_of(folder_.path("whole/timings.csv")), 1));
  long long steps = 0;
  for (std::string row; std::getline(rows, row);)
    if (std::isdigit(row.front())) {
      ASSERT_EQ(std::stoll(row), ++steps);
    }
  EXPECT_GT(steps, 10);
  EXPECT_TRUE(fs::exists(folder_.path("whole/snapshots/000000.vtkhdf")));
}

TEST_F(Resume, OfAFinishedRunFromAnEarlierCheckpointEndsThereIfAskedTo) {
  undisturbed();
  const ProcessEnd end = run("whole", {"--resume", "whole/checkpoints/000055.h5", "--set", "run.steps=55"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_FALSE(fs::exists(folder_.path("whole/checkpoints/000060.h5")));
  EXPECT_EQ(run("as_far", {"--set", "run.steps=55"}).code, 0);
  for (const char* directory : {"as_far", "whole"})
    fs::remove(folder_.path(std::string(directory) + "/checkpoints/000045.h5"));
  expect_same(remains("as_far"), remains("whole"));
}

TEST_F(Resume, PastTheEndThatIsAskedForIsRefusedAndLeavesEverything) {
  const Remains whole = undisturbed();
  const ProcessEnd steps = run("whole", {"--resume", "--set", "run.steps=50"});
  EXPECT_EQ(steps.code, 2);
  EXPECT_THAT(steps.errors, HasSubstr("whole/checkpoints/000060.h5 is at step 60, past run.steps 50"));
  const ProcessEnd time = run("whole", {"--resume", "--set", "run.time=0.01"});
  EXPECT_EQ(time.code, 2);
  EXPECT_THAT(time.errors, HasSubstr("past run.time 0.01: set a later end"));
  expect_same(whole, remains("whole"));
}

TEST(ResumeAtItsEnd, IsNotPastItByRoundOff) {
  RunLimits limits{};
  limits.time = 0.3;
  StepClock clock{};
  clock.time = 0.1 + 0.2;
  ASSERT_GT(clock.time, *limits.time);
  EXPECT_NO_THROW(require_not_past(limits, "a.h5", clock, "--resume FILE"));
  clock.time = 0.3001;
  EXPECT_THROW(require_not_past(limits, "a.h5", clock, "--resume FILE"), Error);
}

TEST_F(Resume, FromADirectoryIsRefusedByName) {
  const Remains whole = undisturbed();
  const ProcessEnd end = run("branch", {"--resume", "whole"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("--resume whole: is a directory: name a checkpoint"));
  expect_same(whole, remains("whole"));
}

TEST_F(Resume, OnOneSlabGoesOnWithTheLogOfSeveral) {
  EXPECT_EQ(run("cut", {"--slabs", "2", "--set", "run.steps=33"}).code, 0);
  const std::vector<std::string> on_one{"--resume", "cut/checkpoints/000025.h5", "--set", "run.steps=27"};
  EXPECT_EQ(run("cut", on_one).code, 0);
  std::string expected = "step,slab,\n";
  for (int step = 1; step <= 25; ++step)
    for (const char* slab : {",0,\n", ",1,\n"}) expected += std::to_string(step) + slab;
  EXPECT_EQ(first_columns(text_of(folder_.path("cut/slab_timings.csv")), 2), expected + "26,0,\n27,0,\n");
}

TEST_F(Resume, FromANamedCheckpointOfAnotherRunStartsABranch) {
  const Remains whole = undisturbed();
  EXPECT_EQ(run("branch", {"--resume", "whole/checkpoints/000055.h5"}).code, 0);
  const Remains branch = remains("branch");
  EXPECT_EQ(branch.at("checkpoints/000060.h5"), whole.at("checkpoints/000060.h5"));
  EXPECT_EQ(first_columns(branch.at("timings.csv"), 1), "step,\n56,\n57,\n58,\n59,\n60,\n");
  EXPECT_EQ(run("branch", {"--resume", "whole/checkpoints/000055.h5"}).code, 2) << "it has results now";
}

TEST_F(Resume, FromAnOlderCheckpointDropsWhatCameAfterIt) {
  const Remains whole = undisturbed();
  EXPECT_EQ(run("whole", {"--resume", "whole/checkpoints/000050.h5", "--set", "run.steps=52"}).code, 0);
  EXPECT_FALSE(remains("whole").contains("checkpoints/000060.h5"));
  EXPECT_EQ(run("whole", {"--resume"}).code, 0);
  const Remains again = remains("whole");
  for (const char* name :
       {"timings.csv", "diagnostics.csv", "checkpoints/000060.h5", "snapshots/snapshots.xmf"})
    EXPECT_EQ(again.at(name), whole.at(name)) << name;
}

TEST_F(Resume, ListsWhatItKeepsOfPartsThatAreWrittenNoMore) {
  run("cut", {"--set", "run.steps=33"});
  const std::string parts = config.substr(config.find("  parts:"));
  write_file(folder_.path("a.yaml"),
             config.substr(0, config.find("  parts:")) + parts.substr(parts.find("  diagnostics:")));
  EXPECT_EQ(run("cut", {"--resume"}).code, 0);
  const Remains after = remains("cut");
  const std::string list = after.at("parts/middle/snapshots.xmf");
  for (const char* kept : {"000000.vtkhdf", "000003.vtkhdf"}) {
    EXPECT_TRUE(after.contains(std::string("parts/middle/") + kept)) << kept;
    EXPECT_THAT(list, HasSubstr(kept));
  }
  EXPECT_FALSE(after.contains("parts/middle/000004.vtkhdf")) << "written only because the run ended";
  EXPECT_THAT(list, Not(HasSubstr("000004.vtkhdf")));
}

TEST_F(Resume, MayChangeWhatIsWritten) {
  run("cut", {"--set", "run.steps=33"});
  const ProcessEnd end = run(
      "cut", {"--resume", "--set", "output.snapshots={fields: [mach], precision: double, every_steps: 10}"});
  EXPECT_EQ(end.code, 0) << end.errors;
  const std::string xdmf = remains("cut").at("snapshots/snapshots.xmf");
  EXPECT_THAT(xdmf, AllOf(HasSubstr("Precision=\"4\" Format=\"HDF\">000000.vtkhdf:/density<"),
                          HasSubstr("Precision=\"8\" Format=\"HDF\">000006.vtkhdf:/mach<")));
}

/// Cut away with what the end alone had written, and due by the new cadence.
TEST_F(Resume, WritesWhatANewCadenceWantsOfTheStateThatItGoesOnFrom) {
  run("cut", {"--set", "run.steps=33"});
  const ProcessEnd end = run("cut", {"--resume", "--set", "output.diagnostics.every_steps=11", "--set",
                                     "output.snapshots={every_steps: 11}"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(remains("cut").at("diagnostics.csv"), AllOf(HasSubstr("\n33,"), HasSubstr("\n44,")));
  EXPECT_THAT(remains("cut").at("snapshots/snapshots.vtkhdf.series"), HasSubstr("\"time\": 0.11899"));
}

TEST_F(Resume, WarnsOfLogsThatLackRowsFromBeforeTheCheckpoint) {
  const auto resume_without = [&](const std::string& log, const std::function<void(std::string&)>& spoil) {
    fs::remove_all(folder_.path("cut"));
    run("cut", {"--set", "run.steps=33"});
    std::string text = text_of(folder_.path("cut/" + log));
    spoil(text);
    write_file(folder_.path("cut/" + log), text);
    const ProcessEnd end = run("cut", {"--resume", "--quiet"});
    EXPECT_EQ(end.code, 0) << end.errors;
    return end.errors;
  };
  const std::string goes_on =
      " (it could not be written, or was cut short, edited or removed): the run goes on, its log without "
      "them\n";
  const std::string timings = "tayra: warning: cut/timings.csv lacks rows ";
  EXPECT_EQ(resume_without("timings.csv", [](auto& text) { text.clear(); }),
            timings + "up to step 33" + goes_on);
  EXPECT_EQ(resume_without("timings.csv", [](auto& text) { text.erase(text.find("\n21,") + 1); }),
            timings + "after step 20 up to step 33" + goes_on);
  EXPECT_EQ(resume_without(
                "timings.csv",
                [](auto& text) { text.erase(text.find("\n21,"), text.find("\n23,") - text.find("\n21,")); }),
            timings + "after step 20 up to step 22" + goes_on);
  EXPECT_EQ(resume_without(
                "timings.csv",
                [](auto& text) { text.erase(text.find("\n1,"), text.find("\n6,") - text.find("\n1,")); }),
            timings + "up to step 5" + goes_on);
  EXPECT_EQ(resume_without("diagnostics.csv", [](auto& text) { text.erase(text.find("\n32,") + 1); }),
            "tayra: warning: cut/diagnostics.csv lacks rows after step 28 up to step 32" + goes_on);
}

TEST_F(Resume, NamesEveryGapInALogAndNamesItOnce) {
  run("cut", {"--set", "run.steps=33"});
  const std::string timings = folder_.path("cut/timings.csv");
  const auto lose_rows = [&](const std::vector<int>& steps) {
    std::string text = text_of(timings);
    for (const int step : steps) {
      const auto at = text.find('\n' + std::to_string(step) + ',') + 1;
      text.erase(at, text.find('\n', at) + 1 - at);
    }
    write_file(timings, text);
  };
  const auto warning_up_to = [&](int steps) {
    const ProcessEnd end = run("cut", {"--resume", "--quiet", "--set", "run.steps=" + std::to_string(steps)});
    EXPECT_EQ(end.code, 0) << end.errors;
    return end.errors;
  };
  const auto warning_of = [](const std::string& gaps) {
    return "tayra: warning: cut/timings.csv lacks rows " + gaps +
           " (it could not be written, or was cut short, edited or removed): the run goes on, its log "
           "without them\n";
  };
  const std::string two = "after step 2 up to step 4, after step 20 up to step 21";
  lose_rows({3, 4, 21});
  EXPECT_EQ(warning_up_to(40), warning_of(two));
  EXPECT_EQ(warning_up_to(50), "");
  lose_rows({26, 28, 30});
  const std::string five = two +
                           ", after step 25 up to step 26, after step 27 up to step 28, after step 29 up to "
                           "step 30";
  EXPECT_EQ(warning_up_to(55), warning_of(five));
  lose_rows({32, 34, 36});
  EXPECT_EQ(warning_up_to(58), warning_of(five + " and in 3 more places"));
  EXPECT_EQ(warning_up_to(60), "");
}

TEST_F(Resume, MissesNoRowsFromBeforeABranch) {
  undisturbed();
  const std::string no_diagnostics = "output.diagnostics.every_steps=1000";
  EXPECT_EQ(run("branch", {"--resume", "whole/checkpoints/000055.h5", "--set", no_diagnostics}).errors, "");
  EXPECT_EQ(run("branch", {"--resume", "--set", no_diagnostics, "--set", "run.steps=70"}).errors, "");
  EXPECT_EQ(run("branch", {"--resume", "--set", "run.steps=80"}).errors, "");
}

TEST_F(Resume, FromAFileThatIsNotThereIsRefusedAndWritesNothing) {
  const ProcessEnd end = run("new", {"--resume", "nowhere.h5"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, StartsWith("tayra: --resume nowhere.h5: no such file"));
  fs::create_symlink("circle", folder_.path("circle"));
  const ProcessEnd of_circle = run("new", {"--resume", "circle"});
  EXPECT_EQ(of_circle.code, 2);
  EXPECT_THAT(of_circle.errors, StartsWith("tayra: --resume circle: can't be read ("));
  EXPECT_FALSE(fs::exists(folder_.path("new")));
}

TEST_F(Resume, FromAFileThatIsNoCheckpointIsRefusedByName) {
  undisturbed();
  for (const auto& [file, what] : {std::pair{"whole/snapshots/000001.vtkhdf", "is a snapshot"},
                                   std::pair{"a.yaml", "is no HDF5 file"}}) {
    const ProcessEnd end = run("new", {"--resume", file});
    EXPECT_EQ(end.code, 2);
    EXPECT_THAT(end.errors, StartsWith(std::string("tayra: --resume ") + file + ": " + what +
                                       ": name a checkpoint, such as those of a run in its checkpoints/"));
    EXPECT_FALSE(fs::exists(folder_.path("new")));
  }
}

TEST_F(Resume, FromANamedCheckpointThatIsDamagedFailsAndSaysSo) {
  undisturbed();
  const std::string cut_short = "whole/checkpoints/000060.h5", overwritten = "whole/checkpoints/000055.h5";
  fs::resize_file(folder_.path(cut_short), 5000);
  write_file(folder_.path(overwritten), std::string(5000, '\0'));
  for (const std::string& file : {cut_short, overwritten}) {
    const ProcessEnd end = run("new", {"--resume", file});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.errors, HasSubstr(file + " is damaged"));
  }
}

TEST_F(Resume, AndForceExcludeEachOther) { EXPECT_EQ(run("whole", {"--resume", "--force"}).code, 2); }

void Resume::kill_and_resume(int kills) {
  const auto start = std::chrono::steady_clock::now();
  const Remains whole = undisturbed();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  double length =
      elapsed.count();  // of a run; it is followed, since the machine may have other work at times
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  for (int hit = 0; hit < kills;) {
    const TayraProcess process(words("killed", {"--resume"}), folder_.path());
    std::this_thread::sleep_for(std::chrono::duration<double>(length * share(random)));
    process.send(SIGKILL);
    const ProcessEnd end = process.wait();
    if (end.code == -SIGKILL) {
      ++hit;
      length *= 1.1;
      continue;
    }
    length *= 0.8;
    ASSERT_EQ(end.code, 0) << "after " << hit << " kills: " << end.errors;
    expect_same(whole, remains("killed"));
    if (HasFailure()) return;
    fs::remove_all(folder_.path("killed"));
  }
  EXPECT_EQ(run("killed", {"--resume"}).code, 0);
  expect_same(whole, remains("killed"));
}

TEST_F(Resume, AfterKillsAtRandomMomentsGoesOnToTheSameEnd) { kill_and_resume(5); }

class SlowResume : public Resume {};

TEST_F(SlowResume, AfterSixtyKillsAtRandomMomentsGoesOnToTheSameEnd) { kill_and_resume(60); }

}  // namespace
}  // namespace tayra
