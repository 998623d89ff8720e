// Runs that audit themselves: the same bits as without, and nothing of a faulty state on is written.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <tuple>

#include "app/supervise.hpp"
#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* config = R"(
problem: {name: rt_single}
grid: {cells: [8, 8, 30], upper: [1, 1, 2]}
run: {steps: 60, device: cpu, halo: host, audit: {every_steps: 20}}
output:
  directory: out
  snapshots: {every_steps: 10}
  diagnostics: {every_steps: 10}
  checkpoints: {every_steps: 10}
)";

class AuditedRun : public testing::Test {
 protected:
  void SetUp() override { write_file(folder_.path("config.yaml"), config); }
  void TearDown() override { unsetenv("TAYRA_TEST_FLIP"); }

  ProcessEnd run(std::vector<std::string> options = {}, std::vector<std::string> launcher = {}) {
    std::vector<std::string> words{"run", "config.yaml"};
    words.insert(words.end(), options.begin(), options.end());
    if (launcher.empty()) return TayraProcess(words, folder_.path()).wait();
    words.insert(words.begin(), TAYRA_BINARY);
    words.insert(words.begin(), launcher.begin() + 1, launcher.end());
    return TayraProcess(words, folder_.path(), launcher.front()).wait();
  }

  std::string record() const { return text_of(folder_.path("out/run.json")); }
  std::string fingerprint() const {
    std::smatch found;
    const std::string text = record();
    return std::regex_search(text, found, std::regex("\"fingerprint\": \"([0-9a-f]+)\"")) ? found[1].str()
                                                                                          : "";
  }
  std::string fingerprint_without_audits() {
    EXPECT_EQ(run({"--force", "--set", "run.audit=null"}).code, 0);
    EXPECT_THAT(record(), Not(HasSubstr("\"audits\"")));
    return fingerprint();
  }
  bool exists(const std::string& file) const { return fs::exists(folder_.path("out/" + file)); }

  /// Up to step 39, although much was due at step 40.
  void expect_nothing_from_step_40_on() const {
    EXPECT_TRUE(exists("checkpoints/000030.h5") && exists("snapshots/000003.vtkhdf"));
    EXPECT_FALSE(exists("checkpoints/000040.h5") || exists("snapshots/000004.vtkhdf"));
    EXPECT_THAT(text_of(folder_.path("out/timings.csv")), AllOf(HasSubstr("\n39,"), Not(HasSubstr("\n40,"))));
    EXPECT_THAT(text_of(folder_.path("out/diagnostics.csv")),
                AllOf(HasSubstr("\n30,"), Not(HasSubstr("\n40,"))));
    EXPECT_THAT(record(), HasSubstr("\"status\": \"lost\""));
  }

  TemporaryDirectory folder_;
};

TEST_F(AuditedRun, EndsWithTheBitsOfOneThatIsNotAuditedAndRecordsWhatItAudited) {
  const std::string without = fingerprint_without_audits();
  const ProcessEnd end = run({"--force"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(fingerprint(), without);
  EXPECT_THAT(end.output, HasSubstr("planes of 3 steps were computed once more"));
  EXPECT_TRUE(std::regex_search(record(), std::regex("\"audits\": \\{\\s+\"steps\": 3,"))) << record();
}

TEST_F(AuditedRun, WritesNothingOfAFaultyStateAndEndsWithTheRightBitsWhenResumed) {
  const std::string right = fingerprint_without_audits();
  setenv("TAYRA_TEST_FLIP", "40:5", 1);
  const ProcessEnd end = run({"--force", "--quiet"});
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.errors,
              AllOf(HasSubstr("the audit of step 40 has found an error: step 40 of plane "),
                    HasSubstr("(slab 0, rank 0 on "), HasSubstr("1 number differs; in cell ("),
                    HasSubstr("so the CPU erred"),
                    HasSubstr("go on with --resume, which puts checkpoints after step 20 aside")));
  expect_nothing_from_step_40_on();
  unsetenv("TAYRA_TEST_FLIP");
  EXPECT_EQ(run({"--resume", "--quiet"}).code, 0);
  EXPECT_EQ(fingerprint(), right);
}

// They may hold what the audit has found: of mass nobody knows when it was lost.
TEST_F(AuditedRun, GoesOnFromTheLastRightAuditAndKeepsLaterCheckpointsAside) {
  const std::string right = fingerprint_without_audits();
  for (const auto& [flip, from, aside] :
       {std::tuple{"40:5", "going on from out/checkpoints/000020.h5", "000030.h5"},
        {"20:5", "starting from the beginning", "000010.h5"}}) {
    setenv("TAYRA_TEST_FLIP", flip, 1);
    EXPECT_EQ(run({"--force", "--quiet"}).code, 4);
    unsetenv("TAYRA_TEST_FLIP");
    const ProcessEnd end = run({"--resume"});
    EXPECT_EQ(end.code, 0) << end.errors;
    EXPECT_THAT(end.output,
                AllOf(HasSubstr(from), HasSubstr(std::string(aside) + ", which may hold the error"),
                      HasSubstr(std::string("is kept as out/checkpoints/damaged/") + aside)));
    EXPECT_TRUE(exists(std::string("checkpoints/damaged/") + aside));
    EXPECT_EQ(fingerprint(), right);
  }
}

TEST_F(AuditedRun, OfABranchDoesNotStartAnewWhereNoAuditHasPassed) {
  EXPECT_EQ(run({"--set", "run.steps=20"}).code, 0);
  setenv("TAYRA_TEST_FLIP", "40:5", 1);
  EXPECT_EQ(run({"--resume", "out/checkpoints/000020.h5", "--output", "branch"}).code, 4);
  unsetenv("TAYRA_TEST_FLIP");
  const ProcessEnd end = run({"--resume", "--output", "branch"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("branch/checkpoints are of steps after 20 and may hold the error"));
  EXPECT_TRUE(fs::exists(folder_.path("branch/checkpoints/000030.h5")));
}

TEST_F(AuditedRun, OfSeveralRanksNamesTheOneThatErred) {
  if (!built_with_mpi() || std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no MPI";
  setenv("TAYRA_TEST_FLIP", "40:1", 1);  // the second rank, as the seed is odd
  const ProcessEnd end = run({"--quiet"}, {"mpirun", "--oversubscribe", "-n", "2"});
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("(slab 1, rank 1 on "), HasSubstr("1 number differs")));
  expect_nothing_from_step_40_on();
}

TEST_F(AuditedRun, HasTheSameBitsHoweverItsLayersAreCutAndShared) {
  if (!built_with_mpi() || std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no MPI";
  const std::string cells = "grid.cells=[8, 18, 30]";
  EXPECT_EQ(run({"--force", "--set", "run.audit=null", "--set", cells}).code, 0);
  const std::string right = fingerprint();
  for (const auto& [ranks, slabs, side_by_side] :
       {std::tuple{"1", "2", "2"}, {"2", "1", "2"}, {"2", "2", "2"}, {"2", "2", "4"}, {"4", "1", "2"}}) {
    const ProcessEnd end =
        run({"--force", "--slabs", slabs, "--set", cells, "--set", std::string("run.cut_y=") + side_by_side},
            {"mpirun", "--oversubscribe", "-n", ranks});
    const std::string cut = fmt::format("{} x {} slabs, {} side by side", ranks, slabs, side_by_side);
    EXPECT_EQ(end.code, 0) << cut << end.errors;
    EXPECT_EQ(fingerprint(), right) << cut;
    EXPECT_THAT(end.output, HasSubstr("planes of 3 steps were computed once more")) << cut;
    EXPECT_THAT(end.output, Not(HasSubstr("audits: 0 planes"))) << cut;
  }
}

TEST_F(AuditedRun, OfRanksSideBySideFindsNothingAcrossTheEndsOfAPeriodicBox) {
  if (!built_with_mpi() || std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no MPI";
  const ProcessEnd end = run(
      {"--set", "grid.cells=[8, 8, 40]", "--set", "grid.boundary.z=periodic", "--set", "physics.gravity=0",
       "--set", "problem={name: acoustic_wave}", "--set", "run.audit.every_steps=1", "--set", "run.cut_y=2"},
      {"mpirun", "--oversubscribe", "-n", "2"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("planes of 60 steps were computed once more"));
}

// A rank that finds an error has not all of its plane, and the slab that erred may be another's.
TEST_F(AuditedRun, OfRanksSideBySideNamesTheSlabAndRankThatErred) {
  if (!built_with_mpi() || std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no MPI";
  std::set<std::string> that_erred;
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    setenv("TAYRA_TEST_FLIP", (std::string("40:") + seed).c_str(), 1);
    const ProcessEnd end =
        run({"--force", "--quiet", "--set", "grid.cells=[8, 18, 30]", "--set", "run.cut_y=2"},
            {"mpirun", "--oversubscribe", "-n", "4"});
    EXPECT_EQ(end.code, 4);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(
        end.errors, found,
        std::regex("step 40 of plane (\\d+) \\(slab (\\d), rank (\\d) on [^)]*\\) has other bits than when "
                   "computed once more on the CPU( of rank (\\d) on \\S+)?: 1 number differs; in cell "
                   "\\(\\d, (\\d+), (\\d+)\\)")))
        << end.errors;
    const int layer = std::stoi(found[1]) < 15 ? 0 : 2;
    const std::string slab = std::to_string(layer + (std::stoi(found[6]) < 8 ? 0 : 1));
    EXPECT_EQ(found[1], found[7]) << end.errors;
    EXPECT_EQ(found[2], slab) << end.errors;
    EXPECT_EQ(found[3], slab) << end.errors;
    EXPECT_THAT(
        end.errors,
        found[5].matched
            ? HasSubstr(fmt::format("so the CPU of rank {} erred, which rank {} cannot ask again", slab,
                                    found[5].str()))
            : HasSubstr("so the CPU erred; asked again, it computes right: the fault was a passing one"));
    that_erred.insert(slab + (found[5].matched ? " found by another" : " found by itself"));
    expect_nothing_from_step_40_on();
  }
  EXPECT_GT(that_erred.size(), 2u) << "flips hit too few slabs";
}

TEST_F(AuditedRun, OfRanksSideBySideEndsThoughOneRankAloneWasToldToFlipABit) {
  if (!built_with_mpi() || std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no MPI";
  write_file(folder_.path("one_flips"),
             "[ $OMPI_COMM_WORLD_RANK = 0 ] || export TAYRA_TEST_FLIP=40:1; exec \"$@\"\n");
  const ProcessEnd end =
      run({"--quiet", "--set", "run.cut_y=2"}, {"mpirun", "--oversubscribe", "-n", "2", "sh", "one_flips"});
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.errors, HasSubstr("1 number differs"));
}

using GpuAuditedRun = AuditedRun;

TEST_F(GpuAuditedRun, OfRanksSideBySideHasTheCpusBitsAndNamesTheGpuThatErred) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  if (!built_with_mpi() || std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no MPI";
  const std::string right = fingerprint_without_audits();
  for (const char* halo : {"host", "uva"}) {
    const std::vector<std::string> options{"--force", "--device", "cuda",       "--halo",
                                           halo,      "--set",    "run.cut_y=2"};
    const ProcessEnd sound = run(options, {"mpirun", "--oversubscribe", "-n", "2"});
    EXPECT_EQ(sound.code, 0) << sound.errors;
    EXPECT_EQ(fingerprint(), right) << halo;
    setenv("TAYRA_TEST_FLIP", "40:1", 1);
    const ProcessEnd flipped = run(options, {"mpirun", "--oversubscribe", "-n", "2"});
    unsetenv("TAYRA_TEST_FLIP");
    EXPECT_EQ(flipped.code, 4);
    EXPECT_THAT(flipped.errors, AllOf(HasSubstr("1 number differs"), ContainsRegex("so GPU . .*erred")));
    EXPECT_THAT(record(), HasSubstr("\"gpu_that_erred\""));
  }
}

TEST_F(AuditedRun, IsContinuedBySuperviseAndEndsWithTheRightBits) {
  const std::string right = fingerprint_without_audits();
  write_file(folder_.path("flip_once"),
             "[ -e flipped ] || export TAYRA_TEST_FLIP=40:5; touch flipped; exec \"$@\"\n");
  const ProcessEnd end = TayraProcess({"supervise", "--", "sh", "flip_once", TAYRA_BINARY, "run",
                                       "config.yaml", "--force", "--quiet"},
                                      folder_.path())
                             .wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("going on from out/checkpoints/000020.h5"));
  EXPECT_EQ(fingerprint(), right);
}

TEST_F(AuditedRun, IsRefusedWhereNoRankHasAPlaneThatCanBeAudited) {
  const ProcessEnd end = run({"--set", "grid.cells=[8, 8, 12]", "--set", "grid.boundary.z=periodic", "--set",
                              "physics.gravity=0", "--set", "problem={name: acoustic_wave}"},
                             {"mpirun", "--oversubscribe", "-n", "2"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors,
              HasSubstr("run.audit.every_steps: none of the 12 planes on 2 ranks can be audited"));
  const ProcessEnd side_by_side = run({"--force", "--set", "grid.cells=[8, 8, 12]", "--set", "run.cut_y=2"},
                                      {"mpirun", "--oversubscribe", "-n", "2"});
  EXPECT_EQ(side_by_side.code, 0) << side_by_side.errors;
}

TEST(GpusWithout, AreThoseThatTheEnvironmentNamesOrAllButTheOneThatErred) {
  EXPECT_THAT(gpus_without(1, "", 3), ElementsAre("0", "2"));
  EXPECT_THAT(gpus_without(0, "4,5,GPU-8932f937", 3), ElementsAre("5", "GPU-8932f937"));
  EXPECT_THAT(gpus_without(0, "7", 1), IsEmpty());
}

}  // namespace
}  // namespace tayra
