// Several ranks give the bits of one, and one rank's trouble is heard.
#include "grid/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>
#include <thread>
#include <tuple>

#include "app/signals.hpp"
#include "app/tayra_process.hpp"

namespace tayra {
namespace {

using ::testing::HasSubstr;

constexpr const char* config = R"(
problem: {name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [2, 4], seed: 3}
grid: {cells: [12, 10, 33], upper: [1, 1, 2]}
run: {steps: 50}
output: {directory: out}
)";

std::string entry(const std::string& json, const std::string& key) {
  std::smatch found;
  const std::regex pattern("\"" + key + "\": \"?([^\",\n]*)");
  return std::regex_search(json, found, pattern) ? found[1].str() : "";
}

class OfRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    write_file(folder_.path("config.yaml"), config);
  }

  std::vector<std::string> words(std::vector<std::string> options) const {
    options.insert(options.begin(), {"run", "config.yaml", "--force", "--quiet"});
    return options;
  }

  ProcessEnd run(int ranks, const std::vector<std::string>& options) const {
    if (ranks == 1) return run_tayra(words(options), folder_.path());
    return run_ranks(ranks, words(options), folder_.path());
  }

  std::string fingerprint_of(int ranks, const std::vector<std::string>& options) {
    const ProcessEnd end = run(ranks, options);
    EXPECT_EQ(end.code, 0) << end.errors;
    const std::string record = text_of(folder_.path("out/run.json"));
    halo_ = entry(record, "halo");
    return entry(record, "fingerprint");
  }

  /// Of a run that goes on from a checkpoint.
  void expect_resumed(int ranks, const std::string& side_by_side, const char* checkpoint,
                      const std::string& fingerprint) const {
    const std::vector<std::string> words{"run",      "config.yaml", "--quiet", "--resume",
                                         "--device", "cpu",         "--set",   "run.cut_y=" + side_by_side};
    const ProcessEnd end = run_ranks(ranks, words, folder_.path());
    ASSERT_EQ(end.code, 0) << end.errors;
    const std::string record = text_of(folder_.path("out/run.json"));
    EXPECT_NE(record.find(checkpoint), std::string::npos) << "it should have gone on from there";
    EXPECT_EQ(entry(record, "fingerprint"), fingerprint);
  }

  TemporaryDirectory folder_;
  std::string halo_;
};

TEST_F(OfRanks, EveryNumberOfThemAndOfSlabsGivesTheBitsOfOneWithTheBackendAskedFor) {
  for (const std::string numerics : {"{scheme: roe3}", "{scheme: upwind3, precision: single}"}) {
    const std::vector<std::string> set{"--device", "cpu", "--set", "numerics=" + numerics};
    const std::string alone = fingerprint_of(1, set);
    ASSERT_EQ(alone.size(), 16u);
    for (const std::string halo : {"host", "mpi", "auto"})
      for (const int ranks : {2, 4})
        for (const char* slabs : {"1", "3"}) {
          auto options = set;
          options.insert(options.end(), {"--halo", halo, "--slabs", slabs});
          EXPECT_EQ(fingerprint_of(ranks, options), alone)
              << halo << ", " << ranks << " ranks, " << slabs << " slabs";
          EXPECT_TRUE(halo == "auto" || halo == halo_) << halo_ << " ran instead of " << halo;
        }
  }
}

TEST_F(OfRanks, SideBySideGiveTheBitsOfOneWithTheBackendAskedFor) {
  const std::vector<std::string> wide{"--device", "cpu", "--set", "grid.cells=[12, 18, 9]"};
  const std::string alone = fingerprint_of(1, wide);
  for (const std::string halo : {"host", "mpi"})
    for (const auto& [ranks, slabs, side_by_side] :
         {std::tuple{2, "1", "2"}, {4, "1", "2"}, {2, "2", "4"}, {4, "1", "4"}}) {
      auto options = wide;
      options.insert(options.end(),
                     {"--halo", halo, "--slabs", slabs, "--set", std::string("run.cut_y=") + side_by_side});
      EXPECT_EQ(fingerprint_of(ranks, options), alone)
          << halo << ", " << ranks << " ranks, " << slabs << " slabs, " << side_by_side << " side by side";
      EXPECT_EQ(halo_, halo);
    }
}

TEST_F(OfRanks, AnAutomaticCutMakesRoomForThemOrIsChosenByTrial) {
  const std::vector<std::string> by_itself{"--device", "cpu", "--set", "run.cut_y=auto"};
  const auto with = [&](const char* cells) {
    auto options = by_itself;
    options.insert(options.end(), {"--set", std::string("grid.cells=") + cells});
    return options;
  };
  const std::string record = folder_.path("out/run.json");
  // Four slabs of a plane each would be too thin.
  const std::string thin = fingerprint_of(1, with("[12, 18, 4]"));
  EXPECT_EQ(entry(text_of(record), "cut_y"), "1");
  EXPECT_EQ(fingerprint_of(4, with("[12, 18, 4]")), thin);
  EXPECT_EQ(entry(text_of(record), "cut_y"), "4");
  EXPECT_THAT(text_of(record), HasSubstr("\"cut_trials\": []"));

  // Of slabs as thin as five planes none could be audited.
  auto audited = with("[12, 36, 20]");
  audited.insert(audited.end(), {"--set", "run.audit.every_steps=10"});
  const std::string uncut = fingerprint_of(1, audited);
  EXPECT_EQ(fingerprint_of(4, audited), uncut);
  EXPECT_THAT(text_of(record), HasSubstr("\"cut_trials\": []"));

  const std::string wide = fingerprint_of(1, with("[12, 36, 9]"));
  EXPECT_EQ(fingerprint_of(2, with("[12, 36, 9]")), wide);
  EXPECT_THAT(text_of(record), ::testing::ContainsRegex("\"cut_y\": 1,\n *\"step_ms\": [0-9.e-]+"));
  EXPECT_THAT(text_of(record), ::testing::ContainsRegex("\"cut_y\": 2,\n *\"step_ms\": [0-9.e-]+"));
}

TEST_F(OfRanks, TrialsOfHalosAndCutsMayTakeMoreTimeThanGravityIsGivenFor) {
  std::vector<std::string> options{"--device", "cpu"};
  for (const char* set :
       {"grid.cells=[12, 36, 9]", "physics.gravity=-sqrt(1 - 50 * t)", "run.time=0.02", "run.steps=3"})
    options.insert(options.end(), {"--set", set});
  const std::string uncut = fingerprint_of(1, options);
  options.insert(options.end(), {"--set", "run.cut_y=auto"});
  EXPECT_EQ(fingerprint_of(2, options), uncut);
  EXPECT_THAT(text_of(folder_.path("out/run.json")), ::testing::Not(HasSubstr("\"cut_trials\": []")));
  EXPECT_THAT(text_of(folder_.path("out/run.json")), ::testing::Not(HasSubstr("\"halo_trials\": []")));
}

TEST_F(OfRanks, ARunGoesOnFromItsCheckpointOnAnotherNumberOfThem) {
  const std::string whole = fingerprint_of(1, {"--device", "cpu"});
  using Cut = std::pair<int, std::string>;  // of so many ranks, slabs side by side
  for (const auto& [before, after] :
       {std::pair{Cut(2, "1"), Cut(3, "1")}, {Cut(3, "1"), Cut(4, "2")}, {Cut(2, "2"), Cut(1, "1")}}) {
    ASSERT_EQ(run(before.first, {"--device", "cpu", "--set", "run.steps=20", "--set",
                                 "output.checkpoints.every_steps=20", "--set", "run.cut_y=" + before.second})
                  .code,
              0);
    expect_resumed(after.first, after.second, "000020.h5", whole);
  }
}

// Each reads planes of which the other has rows, too: what one finds must not leave the other waiting.
TEST_F(OfRanks, SideBySideGoOnFromTheCheckpointBeforeADamagedOne) {
  const std::vector<std::string> cut{"--device", "cpu", "--set", "run.cut_y=2"};
  const std::string whole = fingerprint_of(2, cut);
  auto first_part = cut;
  first_part.insert(first_part.end(),
                    {"--set", "run.steps=20", "--set", "output.checkpoints.every_steps=10"});
  ASSERT_EQ(run(2, first_part).code, 0);
  const std::string newest = folder_.path("out/checkpoints/000020.h5");
  std::string damaged = text_of(newest);
  damaged[damaged.size() / 2] ^= 1;
  write_file(newest, damaged);
  expect_resumed(2, "2", "000010.h5", whole);
}

TEST_F(OfRanks, SixtyFourOfThemStartInTimeAndGiveTheBitsOfOne) {
  const std::vector<std::string> tall{"--device", "cpu",
                                      "--set",    "grid={cells: [6, 6, 128], upper: [1, 1, 2]}",
                                      "--set",    "problem.modes=[1, 2]",
                                      "--set",    "run.steps=10"};
  const std::string alone = fingerprint_of(1, tall);
  ASSERT_EQ(alone.size(), 16u);
  EXPECT_EQ(fingerprint_of(16, tall), alone);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(fingerprint_of(64, tall), alone);
  // 5 s of their own on an idle machine; here other tests share its cores.
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), 60);
}

TEST_F(OfRanks, AsManyAsCoresHaveOneThreadEachUnlessToldOtherwise) {
  const auto record_with = [&](const std::string& environment) {
    const std::string ranks = std::to_string(std::max(2u, std::thread::hardware_concurrency()));
    const ProcessEnd end =
        run_shell(environment + " mpirun --bind-to none --oversubscribe -n " + ranks +
                      " " TAYRA_BINARY
                      " run config.yaml --quiet --force --device cpu --set grid.cells=[12,10,256]"
                      " --set run.steps=1",
                  folder_.path());
    EXPECT_EQ(end.code, 0) << end.errors;
    return text_of(folder_.path("out/run.json"));
  };
  EXPECT_THAT(record_with("env -u OMP_NUM_THREADS"), HasSubstr("\"threads\": 1"));
  EXPECT_THAT(record_with("OMP_NUM_THREADS=3"), HasSubstr("\"threads\": 3"));
}

TEST_F(OfRanks, ADifferentFlowHasADifferentFingerprint) {
  const std::string one = fingerprint_of(1, {"--device", "cpu"});
  EXPECT_NE(fingerprint_of(1, {"--device", "cpu", "--set", "problem.seed=4"}), one);
  EXPECT_NE(fingerprint_of(1, {"--device", "cpu", "--set", "run.steps=49"}), one);
}

TEST_F(OfRanks, LeaveTheLogsOfAsManySlabsOfOneAndSayTheSameOfTheMachine) {
  write_file(folder_.path("config.yaml"), R"(
problem: {name: shock_tube, axis: z, left: {velocity: -3}, right: {velocity: 3}}
grid: {cells: [4, 6, 33]}
run: {time: 0.1, device: cpu}
output:
  directory: out
  diagnostics: {every_time: 0.03}
  statistics: {every_steps: 7}
  parts:
    plane: {every_steps: 3, lower: [0, 0.5, 0], upper: [1, 0.5, 1], fields: [density, vorticity], one_file: true}
    shadow: {every_steps: 3, lower: [0, 0, 0.1], stride: [1, 1, 2], mean_along: z, precision: double, one_file: true}
)");
  const auto left_by = [&](int ranks, const char* slabs) {
    const ProcessEnd end = run(ranks, {"--slabs", slabs});
    EXPECT_EQ(end.code, 0) << end.errors;
    const std::string record = text_of(folder_.path("out/run.json"));
    const std::size_t devices = record.find("\"devices\"");
    const std::string slab_timings = text_of(folder_.path("out/slab_timings.csv"));
    return std::vector{text_of(folder_.path("out/diagnostics.csv")),
                       std::to_string(std::count(slab_timings.begin(), slab_timings.end(), '\n')),
                       text_of(folder_.path("out/statistics.h5")),
                       text_of(folder_.path("out/parts/plane.h5")),
                       text_of(folder_.path("out/parts/plane.xmf")),
                       text_of(folder_.path("out/parts/shadow.h5")),
                       record.substr(devices, record.find(']', devices) - devices),
                       entry(record, "nodes"),
                       entry(record, "memory_bytes")};
  };
  const auto expected = left_by(1, "6");
  const std::string& diagnostics = expected.front();
  EXPECT_GT(std::stoi(diagnostics.substr(diagnostics.rfind(',') + 1)), 0)
      << "the limiter should have had work";
  EXPECT_EQ(left_by(2, "3"), expected);
  EXPECT_EQ(left_by(3, "2"), expected);
}

// Every state is in the files of a part with the picture's cells.
TEST_F(OfRanks, MakeTheSamePicturesOfTheNewestStateAndChangeNoBitOfTheFlow) {
  const std::vector<std::string> set{"--device", "cpu", "--set", "output.checkpoints.keep=0"};
  auto without = set;
  without.insert(without.end(), {"--set", "output.pictures.every_seconds=0"});
  const std::string alone = fingerprint_of(1, without);
  auto with = set;
  with.insert(
      with.end(),
      {"--set", "output.pictures={every_seconds: 1e-6, slices: {y: 0.5}}", "--set",
       "output.parts.all={every_steps: 1, lower: [0, 0.5, 0], upper: [1, 0.5, 2], fields: [density]}"});
  for (const auto& [ranks, slabs] : {std::pair(1, "1"), {1, "3"}, {2, "1"}, {3, "2"}}) {
    auto options = with;
    options.insert(options.end(), {"--slabs", slabs});
    EXPECT_EQ(fingerprint_of(ranks, options), alone);
    const std::string picture = text_of(folder_.path("out/live/slice_y.vtkhdf"));
    int equal = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path("out/parts/all")))
      equal += text_of(file.path().string()) == picture ? 1 : 0;
    EXPECT_EQ(equal, 1) << ranks << " ranks with " << slabs << " slabs, a picture of " << picture.size()
                        << " bytes";
  }
}

TEST_F(OfRanks, WriteTheSameFilesToTheLastByteHoweverTheirSharesAreCutAlongY) {
  const auto files_of = [&](int ranks, const std::string& slabs, const std::string& side_by_side) {
    const ProcessEnd end =
        run(ranks, {"--device", "cpu", "--slabs", slabs, "--set", "run.cut_y=" + side_by_side, "--set",
                    "grid.cells=[12, 13, 33]", "--set", "physics.scalars=[fraction]", "--set",
                    "output.snapshots={every_steps: 20, fields: [density, vorticity, fraction]}", "--set",
                    "output.parts={mean: {every_steps: 20, one_file: true, mean_along: z, precision: double, "
                    "fields: [velocity]}, "
                    "mean_y: {every_steps: 10, one_file: true, mean_along: y, precision: double, fields: "
                    "[density, vorticity]}, "
                    "some_of_y: {every_steps: 20, one_file: true, mean_along: y, precision: double, lower: "
                    "[0, 0.2, 0.5], "
                    "upper: [1, 1, 2], stride: [2, 2, 3], fields: [fraction, velocity]}, "
                    "some: {every_steps: 20, lower: [0, 0.3, 0], upper: [1, 0.8, 2], stride: [1, 2, 3]}}"});
    EXPECT_EQ(end.code, 0) << end.errors;
    std::vector<std::string> texts;
    for (const char* file : {"diagnostics.csv", "snapshots/000002.vtkhdf", "parts/mean.h5", "parts/mean_y.h5",
                             "parts/some_of_y.h5", "parts/some/000001.vtkhdf", "checkpoints/000050.h5"})
      texts.push_back(text_of(folder_.path(std::string("out/") + file)));
    return texts;
  };
  const auto alone = files_of(1, "1", "1");
  EXPECT_TRUE(files_of(1, "6", "3") == alone);
  EXPECT_TRUE(files_of(2, "2", "2") == alone);
  EXPECT_TRUE(files_of(2, "1", "2") == alone) << "each writes planes that lie on both";
  EXPECT_TRUE(files_of(3, "1", "3") == alone);
  EXPECT_TRUE(files_of(4, "1", "2") == alone);
}

TEST_F(OfRanks, MeasureTheSameOfPlanesToTheLastByte) {
  const auto statistics_of = [&](int ranks, const char* slabs, const std::vector<std::string>& cut = {}) {
    std::vector<std::string> options{
        "--device",
        "cpu",
        "--slabs",
        slabs,
        "--set",
        "output.statistics={every_steps: 10, spectra: {every_steps: 20, fields: [velocity_z, "
        "heavy_fraction], layer: 0}, pdf: {fields: [density], lower: [0], upper: [4]}}"};
    options.insert(options.end(), cut.begin(), cut.end());
    const ProcessEnd end = run(ranks, options);
    EXPECT_EQ(end.code, 0) << end.errors;
    return text_of(folder_.path("out/statistics.h5"));
  };
  const std::string alone = statistics_of(1, "1");
  EXPECT_TRUE(statistics_of(1, "5") == alone);
  EXPECT_TRUE(statistics_of(2, "3") == alone);
  EXPECT_TRUE(statistics_of(3, "1") == alone);

  // Two tiles of sums along x, and rows that make no whole one.
  const auto of_rows = [&](int ranks, const char* slabs, const std::string& side_by_side) {
    return statistics_of(
        ranks, slabs,
        {"--set", "grid.cells=[130, 101, 9]", "--set", "run.steps=20", "--set", "run.cut_y=" + side_by_side});
  };
  const std::string whole = of_rows(1, "1", "1");
  EXPECT_TRUE(of_rows(1, "6", "3") == whole);
  EXPECT_TRUE(of_rows(2, "2", "2") == whole);
  EXPECT_TRUE(of_rows(2, "1", "2") == whole) << "each transforms planes that lie on both";
  EXPECT_TRUE(of_rows(3, "1", "3") == whole);
  EXPECT_TRUE(of_rows(4, "1", "2") == whole);
}

TEST_F(OfRanks, AMistakeThatAllMakeIsToldOnce) {
  const ProcessEnd end = run(3, {"--set", "numerics.cfl=7"});
  EXPECT_EQ(end.code, 2);
  const auto first = end.errors.find("numerics.cfl");
  ASSERT_NE(first, std::string::npos) << end.errors;
  EXPECT_EQ(end.errors.find("tayra: ", first), std::string::npos) << end.errors;
}

TEST_F(OfRanks, MoreOfThemThanPlanesAllowAreRefused) {
  const ProcessEnd end = run(4, {"--device", "cpu", "--slabs", "5"});
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.errors.find("4 ranks with 5 slabs"), std::string::npos) << end.errors;
}

TEST_F(OfRanks, MoreOfThemThanPlanesAllowAreTheMistakeWhereNothingElseWasAskedFor) {
  const ProcessEnd end = run(3, {"--device", "cpu", "--set", "grid.cells=[12, 10, 4]"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors,
              HasSubstr("grid.cells: 3 ranks with a slab of at least 2 planes each don't fit into "
                        "the 4 cells along z: start at most 2 ranks"));
}

TEST_F(OfRanks, DifferentConfigsAreCaughtAtTheStart) {
  const ProcessEnd end = run_two_ranks(TAYRA_BINARY " run config.yaml",
                                       TAYRA_BINARY " run config.yaml --set problem.seed=9", folder_.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.errors.find("rank 1 reads another config than rank 0 ('  seed: 9', not '  seed: 3')"),
            std::string::npos)
      << end.errors;
}

TEST_F(OfRanks, DifferentCommandsAreCaughtAtTheStart) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessEnd end =
      run_two_ranks(TAYRA_BINARY " run config.yaml", TAYRA_BINARY " check config.yaml", folder_.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors,
              HasSubstr("rank 1 was started as 'tayra check', rank 0 as 'tayra run': start all ranks "
                        "with the same command"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << "not after run.timeout";
}

TEST_F(OfRanks, AnyThatIsSentASignalEndsTheRunWithACheckpoint) {
  for (const std::string signal : {"INT", "TERM", "USR1", "HUP"}) {
    if (signal == "HUP" && is_ignored(SIGHUP)) continue;  // under nohup
    const ProcessEnd end = run_shell(
        "rm -rf out; timeout 60 mpirun --oversubscribe -n 3 sh -c '"
        "if [ $OMPI_COMM_WORLD_RANK = 2 ]; then"
        " (until [ $(cat out/timings.csv 2> /dev/null | wc -l) -gt 3 ]; do sleep 0.05; kill -0 $$ || exit; "
        "done;"
        " kill -" +
            signal +
            " $$) 2> /dev/null & fi;"
            " exec " TAYRA_BINARY " run config.yaml --device cpu --set run.steps=1e9'",
        folder_.path());
    EXPECT_THAT(end.errors, HasSubstr("stopped by SIG" + signal));
    EXPECT_FALSE(std::filesystem::is_empty(folder_.path("out/checkpoints"))) << signal;
  }
}

/// In the shell that becomes a rank. Rank 1 stops and goes on eight times once steps are logged, and notes
/// the lines of the log before each; then rank 0 is told to end the run.
constexpr const char* held_up = R"(
lines() { cat out/timings.csv 2> /dev/null | wc -l; }
hold_up() {
  until [ $(lines) -gt 1 ]; do sleep 0.05; kill -0 $$ || exit; done
  for i in 1 2 3 4 5 6 7 8; do lines >> stops; kill -STOP $$; sleep 0.05; kill -CONT $$; sleep 0.1; done
  touch over
}
end() {
  until [ -e over ]; do sleep 0.05; kill -0 $$ || exit; done
  kill -USR1 $$
}
if [ $OMPI_COMM_WORLD_RANK = 1 ]; then hold_up & fi
if [ $OMPI_COMM_WORLD_RANK = 0 ]; then end & fi
)";

// A rank that is late finds its neighbours a stage ahead, never two: nothing it still reads is overwritten.
TEST_F(OfRanks, ARankThatIsHeldUpAgainAndAgainChangesNoBit) {
  for (const std::string halo : {"host", "mpi"}) {
    // An earlier run's log would start the stops before the flow.
    const ProcessEnd end = run_shell(
        "rm -rf out stops over; timeout 90 mpirun --oversubscribe -n 3 sh -c '" + std::string(held_up) +
            "exec " TAYRA_BINARY " run config.yaml --device cpu --set run.steps=1e9 --halo " + halo +
            "' 2> errors; code=$?; cat errors >&2; exit $code",
        folder_.path());
    ASSERT_THAT(end.errors, HasSubstr("stopped by SIGUSR1"));
    std::istringstream stops(text_of(folder_.path("stops")));
    const std::vector<int> lines{std::istream_iterator<int>(stops), {}};
    ASSERT_EQ(lines.size(), 8u);
    EXPECT_GT(lines.back(), lines.front()) << "no step fell between the stops";
    const std::string record = text_of(folder_.path("out/run.json"));
    const std::string fingerprint = entry(record, "fingerprint"),
                      steps = "run.steps=" + entry(record, "steps");
    EXPECT_EQ(fingerprint, fingerprint_of(1, {"--device", "cpu", "--set", steps})) << halo << ", " << steps;
  }
}

// Even the first one, on whose node another one tells of it.
TEST_F(OfRanks, OneThatHangsIsNamedWithWhatItWasAtAndTheOthersEnd) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessEnd end = run_shell(
      "mpirun --oversubscribe -n 4 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 0 ]; then"
      " (until [ $(cat out/timings.csv 2> /dev/null | wc -l) -gt 1 ];"
      " do sleep 0.05; kill -0 $$ || exit; done; sleep 0.5; kill -STOP $$) & fi; exec " TAYRA_BINARY
      " run config.yaml --device cpu --set run.steps=100000000 --set run.timeout=2'",
      folder_.path());
  EXPECT_EQ(end.code, 4) << end.errors;
  const std::regex given_up(
      "(rank [1-3] has waited for (rank [0-3]|the other ranks)|nothing was heard of rank 0) for 2 s[^\n]*: "
      "the "
      "run is given up");
  EXPECT_TRUE(std::regex_search(end.errors, given_up)) << end.errors;
  const std::regex silent(
      "rank 0 does not answer: it has been (computing|exchanging planes|merging the ranks' reports of a "
      "step|at its files) at step [1-9][0-9]* for [1-3]\\.[0-9] s");
  EXPECT_TRUE(std::regex_search(end.errors, silent)) << end.errors;
  const std::string record = text_of(folder_.path("out/run.json"));
  EXPECT_THAT(record, HasSubstr("\"status\": \"lost\""));
  EXPECT_THAT(record, HasSubstr("rank 0 does not answer"));
  const auto first = end.errors.find("tayra: ");
  EXPECT_EQ(end.errors.find("tayra: ", first + 1), std::string::npos) << "told once: " << end.errors;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), 30);
}

TEST_F(OfRanks, SeveralAreRefusedByABenchmarkOfOneProcess) {
  const ProcessEnd end = run_shell(
      "mpirun --oversubscribe -n 2 " TAYRA_BINARY " bench step --device cpu --cells 8", folder_.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("bench step times one process: start it without mpirun"));
}

TEST_F(OfRanks, SeveralAreRefusedByARefinement) {
  const ProcessEnd end = run_ranks(2, {"refine", "out", "config.yaml"}, folder_.path());
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("refine is one process's work: start it without mpirun or srun"));
}

TEST_F(OfRanks, AnErrorThatOneAloneMakesIsToldByIt) {
  const ProcessEnd end = run_shell(
      "mpirun --oversubscribe -n 3 sh -c 'set -- run config.yaml --device cpu; if [ $OMPI_COMM_WORLD_RANK = "
      "1 ]; "
      "then set -- run other.yaml; fi; exec " TAYRA_BINARY " \"$@\"'",
      folder_.path());
  EXPECT_EQ(end.code, 2) << end.errors;
  EXPECT_NE(end.errors.find("rank 1: "), std::string::npos) << end.errors;
  EXPECT_NE(end.errors.find("other.yaml"), std::string::npos) << end.errors;
}

}  // namespace
}  // namespace tayra
