// Tests of the program as a user meets it: commands, exit codes, what a run leaves and how it ends.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include "app/tayra_process.hpp"
#include "physics/schemes.hpp"
#include "solver/simulation.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string small = R"(problem: {name: rt_single}
grid: {cells: [8, 8, 16], upper: [1, 1, 2]}
run: {steps: 7}
output:
  directory: results
  snapshots: {every_steps: 3}
  diagnostics: {every_steps: 2}
)";

/// A folder with the config `small` in it.
class CommandLine : public testing::Test {
 protected:
  CommandLine() { write_file(folder_.path("a.yaml"), small); }

  ProcessEnd tayra(const std::vector<std::string>& words) { return run_tayra(words, folder_.path()); }
  std::string file(const std::string& name) { return text_of(folder_.path(name)); }
  bool exists(const std::string& name) { return fs::exists(folder_.path(name)); }
  // run.json is YAML too, as all JSON is.
  YAML::Node record() { return YAML::LoadFile(folder_.path("results/run.json")); }
  std::vector<std::string> first_column(const std::string& name) {
    std::istringstream lines(file(name));
    std::vector<std::string> column;
    for (std::string line; std::getline(lines, line);) column.push_back(line.substr(0, line.find(',')));
    return column;
  }
  std::size_t snapshot_count() {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path("results/snapshots")))
      count += entry.path().extension() == ".vtkhdf";
    return count;
  }

  TemporaryDirectory folder_;
};

TEST_F(CommandLine, HelpAndVersionEndWithZero) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--help"}, {"--version"}, {"run", "--help"}, {"check", "--help"}, {"info", "--help"}}) {
    const ProcessEnd end = tayra(words);
    EXPECT_EQ(end.code, 0) << words.front();
    EXPECT_NE(end.output, "") << words.front();
    EXPECT_EQ(end.errors, "");
  }
}

TEST_F(CommandLine, OnlyTheHelpOfAllCommandsTellsOfOtherPrograms) {
  EXPECT_THAT(tayra({"--help"}).output, HasSubstr("tayra-NAME"));
  EXPECT_THAT(tayra({"run", "--help"}).output, Not(HasSubstr("tayra-NAME")));
}

TEST_F(CommandLine, WrongUsageEndsWithTwoAndPointsToHelp) {
  EXPECT_EQ(tayra({}).code, 2);
  EXPECT_EQ(tayra({"run"}).errors, "tayra: CONFIG is required; see tayra run --help\n");
  EXPECT_EQ(tayra({"check"}).errors, "tayra: CONFIG is required; see tayra check --help\n");
  EXPECT_EQ(tayra({"run", "a.yaml", "--gpus", "2", "--slabs", "2"}).code, 2);
}

TEST_F(CommandLine, AnUnknownCommandGetsTheNearestName) {
  const ProcessEnd end = tayra({"rnu", "a.yaml"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("unknown command 'rnu'"), HasSubstr("did you mean 'run'?"),
                                HasSubstr("commands: quickstart, run, check, info")));
}

TEST_F(CommandLine, AMissingCommandGetsTheKnownOnes) {
  const ProcessEnd end = tayra({});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("needs a command; known: quickstart, run, check, "),
                                HasSubstr(", bench"), HasSubstr("; see tayra --help\n")));
  EXPECT_THAT(tayra({"--versoin"}).errors, HasSubstr("did you mean '--version'?"));
}

TEST_F(CommandLine, BenchmarksAreListedAndWhereTheirProgramIsMissingItIsSaidHowToGetIt) {
  EXPECT_THAT(tayra({"--help"}).output, HasSubstr("bench    "));
  fs::copy_file(TAYRA_BINARY, folder_.path("tayra"));
  const ProcessEnd alone = run_shell("PATH= ./tayra bench step", folder_.path());
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.errors, HasSubstr("there is no tayra-bench beside this program or on PATH: building the "
                                      "target tayra-bench brings it"));
}

TEST_F(CommandLine, AnyOtherWordRunsTheProgramOfThatName) {
  write_file(folder_.path("tayra-hello"), "#!/bin/sh\necho hello \"$@\"\nexit 5\n");
  fs::permissions(folder_.path("tayra-hello"), fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (path + ":" + folder_.path()).c_str(), 1);
  const ProcessEnd end = tayra({"hello", "you there", "--loud"});
  const ProcessEnd unknown = tayra({"helo"});
  fs::create_directory(folder_.path("bin"));
  fs::copy_file(TAYRA_BINARY, folder_.path("bin/tayra"));
  write_file(folder_.path("bin/tayra-hello"), "#!/bin/sh\necho its own\n");
  fs::permissions(folder_.path("bin/tayra-hello"), fs::perms::owner_all);
  const ProcessEnd beside = TayraProcess({"hello"}, folder_.path(), folder_.path("bin/tayra")).wait();
  fs::remove(folder_.path("bin/tayra-hello"));
  fs::create_directory(folder_.path("libexec"));
  write_file(folder_.path("libexec/tayra-hello"), "#!/bin/sh\necho installed\n");
  fs::permissions(folder_.path("libexec/tayra-hello"), fs::perms::owner_all);
  const ProcessEnd installed = TayraProcess({"hello"}, folder_.path(), folder_.path("bin/tayra")).wait();
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(end.code, 5);
  EXPECT_EQ(end.output, "hello you there --loud\n");
  EXPECT_THAT(unknown.errors, HasSubstr("did you mean 'hello'?"));
  EXPECT_EQ(beside.output, "its own\n") << "what lies beside the program goes first";
  EXPECT_EQ(installed.output, "installed\n") << "then what was installed with it";
}

TEST_F(CommandLine, InfoSaysWhatThisBuildOffers) {
  const ProcessEnd end = tayra({"info"});
  EXPECT_EQ(end.code, 0);
  for (const char* part :
       {"compiler", "SIMD", "CUDA", "host", "roe3", "rt_multi", "double, single", "vorticity"})
    EXPECT_THAT(end.output, HasSubstr(part));
}

TEST_F(CommandLine, InfoTellsProgramsTheSameAndWhatSchemesSayOfThemselves) {
  const std::string text = tayra({"info"}).output;
  const YAML::Node json = YAML::Load(tayra({"info", "--json"}).output);
  for (const char* key : {"version", "commit", "compiler"})
    EXPECT_THAT(text, HasSubstr(json[key].as<std::string>())) << key;
  for (const char* list : {"halo_backends", "schemes", "problems"}) {
    ASSERT_GT(json[list].size(), 0u) << list;
    for (const auto& one : json[list]) EXPECT_THAT(text, HasSubstr(one["name"].as<std::string>()));
  }
  const YAML::Node schemes = json["schemes"];
  ASSERT_EQ(schemes.size(), all_schemes().size());
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    const auto& [name, traits] = all_schemes()[i];
    EXPECT_EQ(schemes[i]["name"].as<std::string>(), name);
    EXPECT_EQ(schemes[i]["order"].as<int>(), traits.order);
    EXPECT_EQ(schemes[i]["growth_error"].as<double>(), traits.growth_error);
    EXPECT_EQ(schemes[i]["keeps_contacts"].as<bool>(), traits.keeps_contacts);
    EXPECT_EQ(schemes[i]["captures_shocks"].as<bool>(), traits.captures_shocks);
  }
}

TEST_F(CommandLine, CheckShowsTheResolvedConfigAndTheCostsAndWritesNothing) {
  const ProcessEnd end = tayra({"check", "a.yaml", "--set", "run.slabs=2", "--set", "run.device=cpu"});
  EXPECT_EQ(end.code, 0) << end.errors;
  // Three fields of 16 + 2 × 4 planes, and two faces of two planes.
  for (const char* part : {"scheme: muscl", "slabs: 2", "memory     180 KiB on each device",
                           "exchange   10 KiB between the slabs", "time step  about", "steps      7"})
    EXPECT_THAT(end.output, HasSubstr(part));
  EXPECT_FALSE(exists("results"));
}

TEST_F(CommandLine, CheckTakesTheOptionsOfTheRunThatItPredicts) {
  const ProcessEnd end =
      tayra({"check", "a.yaml", "--device", "cuda", "--slabs", "2", "--halo", "host", "--output", "there"});
  EXPECT_EQ(end.code, 0) << end.errors;
  for (const char* part : {"device: cuda", "slabs: 2", "halo: host", "directory: there"})
    EXPECT_THAT(end.output, HasSubstr(part));
  EXPECT_THAT(tayra({"check", "a.yaml", "--gpus", "3"}).output,
              AllOf(HasSubstr("gpus: 3"), HasSubstr("device: cuda")));
}

TEST_F(CommandLine, CheckTellsTheCostsOfARunOnGpusThatAreElsewhere) {
  const ProcessEnd end =
      tayra({"check", "a.yaml", "--set", "run.gpus=64", "--set", "grid.cells=[8, 8, 128]"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, AllOf(HasSubstr("device: cuda"), HasSubstr("slabs: 64\n"),
                                HasSubstr("on each device\n"), HasSubstr("\nhere       "), HasSubstr("GPU")));
  const ProcessEnd run = tayra({"run", "a.yaml", "--gpus", "64", "--set", "grid.cells=[8, 8, 128]"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.errors, StartsWith("tayra: --gpus 64: run.gpus: "));
  EXPECT_FALSE(exists("results"));
}

TEST_F(CommandLine, RefinesForGpusThatAreElsewhere) {
  EXPECT_EQ(tayra({"run", "a.yaml"}).code, 0);
  const ProcessEnd end = tayra({"refine", "results", "a.yaml", "--output", "fine", "--set", "run.gpus=2"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("is ready"));
}

TEST_F(CommandLine, CheckEstimatesTheStepsToAGivenTime) {
  const ProcessEnd end = tayra(
      {"check", "a.yaml", "--set", "run={time: 2}", "--set", "run.steps=1e6", "--set", "numerics.dt=0.25"});
  EXPECT_THAT(end.output,
              AllOf(HasSubstr("0.25 (fixed; at the start that is cfl "), HasSubstr("about 8 to time 2")));
}

TEST_F(CommandLine, CheckEstimatesTheStepFromTheFastestSignalWhicheverWayTheGasFlows) {
  // A speed of sound of 2 in cells of sides 1/16, 1/8 and 1/4.
  write_file(folder_.path("b.yaml"), R"(problem:
  name: shock_tube
  left: {density: 1, pressure: 2.5}
  right: {density: 1, pressure: 2.5}
grid: {cells: [16, 8, 4]}
physics: {gamma: 1.6}
numerics: {cfl: 0.5}
run: {steps: 10}
)");
  for (const char* velocity : {"3", "-3"}) {
    const std::string left = std::string("problem.left.velocity=") + velocity,
                      right = std::string("problem.right.velocity=") + velocity;
    // 16 (3 + 2) + 8 · 2 + 4 · 2 = 104
    EXPECT_THAT(tayra({"check", "b.yaml", "--set", left, "--set", right}).output,
                AllOf(HasSubstr("time step  about 0.00481 "), HasSubstr("steps      10 to time 0.0481 ")));
    EXPECT_THAT(tayra({"check", "b.yaml", "--set", left, "--set", right, "--set", "numerics.dt=0.01"}).output,
                HasSubstr("0.01 (fixed; at the start that is cfl 1.04, and above 1 flows break down)"));
  }
}

TEST_F(CommandLine, CheckCountsStepsThatOutputShortens) {
  const auto with = [&](const std::string& every_time, const std::string& of = "output.snapshots") {
    return tayra({"check", "a.yaml", "--set", "run={time: 2, steps: 1e6}", "--set", "numerics.dt=0.25",
                  "--set", of + ".every_time=" + every_time})
        .output;
  };
  EXPECT_THAT(with("0.1"), AllOf(HasSubstr("shortened to 0.1 by"), HasSubstr("about 20 to time 2")));
  EXPECT_THAT(with("0.4"), HasSubstr("about 10 to time 2")) << "two steps each";
  EXPECT_THAT(with("0.1", "output.diagnostics"), HasSubstr("about 20 to time 2"));
  EXPECT_THAT(with("0.1", "output.parts.plane"), HasSubstr("about 20 to time 2"));
  EXPECT_THAT(with("0.5"), AllOf(Not(HasSubstr("shortened")), HasSubstr("about 8 to time 2")));
}

TEST_F(CommandLine, CheckWritesManyStepsOut) {
  EXPECT_THAT(tayra({"check", "a.yaml", "--set", "run={time: 2}", "--set", "run.steps=1e9", "--set",
                     "numerics.dt=1e-3"})
                  .output,
              HasSubstr("about 2000 to time 2"));
}

TEST_F(CommandLine, CheckTellsTheMemoryOfOutputThatWaits) {
  const auto output_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"check", "a.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    return tayra(words).output;
  };
  EXPECT_THAT(
      output_of({"--set", "output.writer_memory=24"}),
      HasSubstr("\noutput     up to 24 MiB more for output not yet written (output.writer_memory)\n"));
  EXPECT_THAT(output_of({"--set", "run.device=cpu"}),
              testing::ContainsRegex("output     up to [0-9.]+ [GM]iB more for output not yet written"));
  EXPECT_THAT(output_of({"--set", "output.writer_memory=0"}), Not(HasSubstr("not yet written")));
  EXPECT_THAT(output_of({"--set", "output.writer_memory=24", "--set", "run.gpus=2"}),
              HasSubstr("\noutput     up to 24 MiB of the host's memory for output not yet written "
                        "(output.writer_memory)\n"));
}

TEST_F(CommandLine, CheckOfARunThatNeverEndsSaysSo) {
  write_file(
      folder_.path("b.yaml"),
      "problem: {name: blast}\ngrid: {cells: [16, 16, 16]}\nrun: {time: 1e308}\nnumerics: {dt: 1e-4}\n");
  const ProcessEnd end = tayra({"check", "b.yaml"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("b.yaml:3: run.time: 1e+308 is about inf steps of 0.0001 away"));
}

TEST_F(CommandLine, ARunLeavesEverythingThatWasDue) {
  const ProcessEnd end = tayra({"run", "a.yaml", "--set", "problem.profile=isentropic"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(end.errors, "");
  EXPECT_EQ(record()["derived"]["problem.pressure"].as<double>(), 10);
  EXPECT_EQ(first_column("results/timings.csv"),
            (std::vector<std::string>{"step", "1", "2", "3", "4", "5", "6", "7"}));
  EXPECT_EQ(first_column("results/diagnostics.csv"),
            (std::vector<std::string>{"step", "0", "2", "4", "6", "7"}));
  EXPECT_EQ(snapshot_count(), 4u);  // steps 0, 3, 6, 7
  EXPECT_EQ(record()["status"].as<std::string>(), "finished");
  EXPECT_EQ(record()["totals"]["steps"].as<int>(), 7);
  EXPECT_THAT(end.output, AllOf(HasSubstr("rt_single"), HasSubstr("results in results")));
}

TEST_F(CommandLine, ARunOnSeveralSlabsLeavesTheTimesOfEach) {
  EXPECT_EQ(tayra({"run", "a.yaml", "--slabs", "2", "--set", "run.steps=3"}).code, 0);
  EXPECT_EQ(first_column("results/slab_timings.csv"),
            (std::vector<std::string>{"step", "1", "1", "2", "2", "3", "3"}));
}

TEST_F(CommandLine, DiagnosticsCountFacesThatWereLimitedSinceTheLastOnes) {
  write_file(folder_.path("b.yaml"),
             R"(problem: {name: shock_tube, left: {velocity: -3}, right: {velocity: 3}}
grid: {cells: [32, 4, 4]}
run: {steps: 12}
output: {directory: results}
)");
  const auto limited_in_all = [&](const std::string& every_steps) {
    EXPECT_EQ(
        tayra({"run", "b.yaml", "--force", "--set", "output.diagnostics.every_steps=" + every_steps}).code,
        0);
    std::istringstream log(file("results/diagnostics.csv"));
    std::string row;
    long long faces = 0;
    for (std::getline(log, row); std::getline(log, row);) faces += std::stoll(row.substr(row.rfind(',') + 1));
    return faces;
  };
  const long long at_the_end = limited_in_all("12");
  EXPECT_GT(at_the_end, 0);
  EXPECT_EQ(limited_in_all("1"), at_the_end);
  EXPECT_EQ(limited_in_all("5"), at_the_end);
}

TEST_F(CommandLine, OutputThatIsDueTogetherIsWrittenOnce) {
  tayra({"run", "a.yaml", "--set", "run={time: 0.06}", "--set", "run.steps=1000", "--set",
         "output.snapshots.every_time=0.02", "--set", "output.snapshots.every_steps=1000", "--set",
         "output.diagnostics={every_time: 0.03, every_steps: 1000}"});
  EXPECT_EQ(snapshot_count(), 4u);                                // times 0, 0.02, 0.04, 0.06
  EXPECT_EQ(first_column("results/diagnostics.csv").size(), 4u);  // header, times 0, 0.03, 0.06
  EXPECT_DOUBLE_EQ(record()["totals"]["time"].as<double>(), 0.06);
}

TEST_F(CommandLine, ZeroStepsWriteTheStartOnly) {
  EXPECT_EQ(tayra({"run", "a.yaml", "--set", "run.steps=0"}).code, 0);
  EXPECT_EQ(snapshot_count(), 1u);
  EXPECT_EQ(first_column("results/diagnostics.csv").size(), 2u);
}

TEST_F(CommandLine, TheConfigThatARunLeavesRunsTheSame) {
  tayra({"run", "a.yaml", "--slabs", "2"});
  EXPECT_EQ(tayra({"run", "results/config.yaml", "--output", "again", "--quiet"}).output, "");
  EXPECT_EQ(file("again/diagnostics.csv"), file("results/diagnostics.csv"));
}

TEST_F(CommandLine, ExistingResultsAreRefused) {
  tayra({"run", "a.yaml"});
  const std::string before = file("results/run.json");
  const ProcessEnd end = tayra({"run", "a.yaml"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, AllOf(StartsWith("tayra: results already holds"), HasSubstr("--force")));
  EXPECT_EQ(file("results/run.json"), before);
}

TEST_F(CommandLine, ForceReplacesResultsButNoOtherFile) {
  tayra({"run", "a.yaml"});
  write_file(folder_.path("results/notes.txt"), "mine");
  EXPECT_EQ(tayra({"run", "a.yaml", "--force", "--set", "run.steps=0"}).code, 0);
  EXPECT_EQ(snapshot_count(), 1u);
  EXPECT_EQ(file("results/notes.txt"), "mine");
}

TEST_F(CommandLine, CudaWithoutAGpuEndsWithThree) {
  if (!cuda_devices().empty()) GTEST_SKIP() << "this machine has a GPU";
  for (const auto& option : std::vector<std::vector<std::string>>{{"--device", "cuda"}, {"--gpus", "1"}}) {
    const ProcessEnd end = tayra({"run", "a.yaml", option[0], option[1]});
    EXPECT_EQ(end.code, 3);
    EXPECT_THAT(end.errors, AllOf(StartsWith("tayra: " + option[0]), HasSubstr(why_no_cuda())));
    EXPECT_FALSE(exists("results"));
  }
}

TEST_F(CommandLine, SignalsEndARunWithItsFilesWhole) {
  for (const auto& [signal, name] :
       {std::pair(SIGINT, "SIGINT"), std::pair(SIGTERM, "SIGTERM"), std::pair(SIGHUP, "SIGHUP")}) {
    fs::remove_all(folder_.path("results"));
    const TayraProcess process(
        {"run", "a.yaml", "--set", "run.steps=1e9", "--set", "problem.profile=isentropic"}, folder_.path());
    wait_until([&] { return first_column("results/timings.csv").size() >= 20; }, process,
               "20 lines of timings.csv");
    process.send(signal);
    const ProcessEnd end = process.wait();
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.errors, StartsWith(std::string("tayra: stopped by ") + name + " at step "));
    EXPECT_EQ(record()["status"].as<std::string>(), "stopped");
    const std::string last_step = first_column("results/timings.csv").back();
    EXPECT_EQ(record()["totals"]["steps"].as<std::string>(), last_step);
    EXPECT_EQ(first_column("results/diagnostics.csv").back(), last_step);
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("results")))
      EXPECT_NE(entry.path().extension(), ".tmp");
  }
}

TEST_F(CommandLine, UnderNohupARunGoesOn) {
  const TayraProcess process({"-c", "trap '' HUP; exec " TAYRA_BINARY " run a.yaml --set run.steps=1e9"},
                             folder_.path(), "sh");
  wait_for_file(folder_.path("results/snapshots/000001.vtkhdf"), process);
  process.send(SIGHUP);
  const auto rows = first_column("results/timings.csv").size();
  wait_until([&] { return first_column("results/timings.csv").size() > rows + 100; }, process,
             "another hundred steps");
  process.send(SIGTERM);
  EXPECT_THAT(process.wait().errors, HasSubstr("stopped by SIGTERM"));
}

TEST_F(CommandLine, AConfigThatLiesWhereTheRunsOwnWouldIsNotReplaced) {
  fs::create_directory(folder_.path("results"));
  write_file(folder_.path("results/config.yaml"), small + "# mine\n");
  for (const char* option : {"--quiet", "--force", "--resume"}) {
    const ProcessEnd end = tayra({"run", "results/config.yaml", option});
    EXPECT_EQ(end.code, 2) << option;
    EXPECT_THAT(end.errors, HasSubstr("rename it, or choose another directory with --output"));
  }
  EXPECT_THAT(tayra({"check", "results/config.yaml"}).output,
              HasSubstr("here       results/config.yaml lies where"));
  EXPECT_THAT(file("results/config.yaml"), HasSubstr("# mine"));
  EXPECT_EQ(tayra({"run", "results/config.yaml", "--output", "out"}).code, 0);
  EXPECT_EQ(tayra({"run", "out/config.yaml", "--force"}).code, 0) << "the one that a run left";
}

TEST_F(CommandLine, EachPartOfTheBoxHasItsOwnFieldsAndTimes) {
  ASSERT_EQ(
      tayra({"run", "a.yaml", "--set",
             "output.parts={b: {every_steps: 3, fields: [mach]}, a: {every_steps: 2, fields: [energy]}}"})
          .code,
      0);
  const auto files_and_fields = [&](const std::string& folder) {
    const std::string list = file("results/" + folder + "/snapshots.xmf");
    std::string found;
    for (const char* name : {"density", "energy", "mach"}) {
      std::size_t count = 0;
      for (std::size_t at = 0; (at = list.find(std::string(":/") + name, at)) != std::string::npos; ++at)
        ++count;
      if (count > 0) found += std::to_string(count) + " " + name;
    }
    return found;
  };
  EXPECT_EQ(files_and_fields("parts/a"), "5 energy");  // of steps 0, 2, 4, 6 and 7
  EXPECT_EQ(files_and_fields("parts/b"), "4 mach");    // of steps 0, 3, 6 and 7
  EXPECT_EQ(files_and_fields("snapshots"), "4 density");
}

TEST_F(CommandLine, AnOutputMayHaveAnyName) {
  for (const char* name : {"007", "a: b", "[x", "it's # mine"}) {
    const ProcessEnd end = tayra({"run", "a.yaml", "--output", name});
    EXPECT_EQ(end.code, 0) << end.errors;
    EXPECT_TRUE(exists(std::string(name) + "/run.json")) << name;
  }
}

TEST_F(CommandLine, ResumeMayStandBeforeTheConfig) {
  EXPECT_EQ(tayra({"run", "a.yaml", "--set", "run.steps=3"}).code, 0);
  const ProcessEnd end = tayra({"run", "--resume", "a.yaml", "--set", "run.steps=5"});
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("going on from results/checkpoints/000003.h5"));
  fs::rename(folder_.path("a.yaml"), folder_.path("a.yml"));
  EXPECT_EQ(tayra({"run", "--resume", "a.yml", "--set", "run.steps=6"}).code, 0);
  EXPECT_EQ(tayra({"run", "--resume"}).errors, "tayra: CONFIG is required; see tayra run --help\n");
}

TEST_F(CommandLine, ARunThatIsStillUnderWayIsNamedAsOne) {
  const TayraProcess process({"run", "a.yaml", "--set", "run.steps=1e9"}, folder_.path());
  wait_for_file(folder_.path("results/snapshots/000001.vtkhdf"), process);
  for (const char* option : {"--quiet", "--force"})
    EXPECT_THAT(tayra({"run", "a.yaml", option}).errors,
                HasSubstr("belongs to a run that is still under way"))
        << option;
  const TayraProcess next({"-c", "exec " TAYRA_BINARY " run a.yaml --resume --set run.steps=1e9 2> told"},
                          folder_.path(), "sh");
  wait_until([&] { return exists("told") && file("told").ends_with("waiting up to 10 s for its end\n"); },
             next, "its word that it waits");
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().code, 1);
  EXPECT_TRUE(next.lives());
  next.send(SIGTERM);
  EXPECT_EQ(next.wait().code, 1);
  EXPECT_THAT(file("told"), AllOf(StartsWith("tayra: a run is still under way in results: "),
                                  HasSubstr("stopped by SIGTERM")));
}

TEST_F(CommandLine, WhatIsNotExpectedIsNamedInItsOrder) {
  EXPECT_THAT(tayra({"run", "a.yaml", "--steps", "3"}).errors,
              StartsWith("tayra: not expected: --steps 3; "));
}

TEST_F(CommandLine, CheckAndRunSayWhereDiagnosticsCanHardlyTellFluidsApart) {
  const auto doubts = HasSubstr("mixing_width and theta will be rough");
  const auto check = [&](const std::vector<std::string>& keys) {
    std::vector<std::string> words{"check", "a.yaml"};
    for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
    return tayra(words).output;
  };
  const std::string told = check({"problem.atwood=0.01", "problem.pressure=10"});
  EXPECT_THAT(told, doubts);
  const std::string from_to = "raise problem.pressure from 10 to ";
  const std::string pressure = std::to_string(std::stod(told.substr(told.find(from_to) + from_to.size())));
  EXPECT_THAT(check({"problem.atwood=0.01", "problem.pressure=" + pressure}), Not(doubts));
  EXPECT_THAT(check({"problem.atwood=0.5", "problem.pressure=10"}), Not(doubts));
  EXPECT_THAT(check({"problem={name: rt_single, atwood: 0.01, profile: isentropic}"}), Not(doubts));
  EXPECT_THAT(check({"problem={name: rt_single, atwood: 0.01, profile: isothermal}"}),
              HasSubstr("will lack bubble_height, spike_height, mixing_width and theta"));
  // Layers whose ranges nearly meet still differ by twice as much as each varies.
  EXPECT_THAT(check({"problem={name: hydrostatic, atwood: -0.058, pressure: 10}"}), Not(doubts));
  EXPECT_THAT(tayra({"run", "a.yaml", "--set", "problem.atwood=0.01", "--set", "run.steps=1"}).errors,
              doubts);
}

TEST_F(CommandLine, CheckAndRunSayWhenTheStartIsNotInBalance) {
  const auto doubts = HasSubstr("the start is not in balance: pressure carries 0 % of the gas's weight");
  const auto words = [](const std::string& command, const std::string& problem) {
    return std::vector<std::string>{
        command, "a.yaml",     "--set", "problem={name: " + problem + "}", "--set", "grid.boundary.z=mirror",
        "--set", "run.steps=1"};
  };
  for (const char* unsteady : {"blast, radius: 0.3", "vortex"}) {
    auto falling = words("check", unsteady);
    falling.insert(falling.end(), {"--set", "physics.gravity=-1"});
    EXPECT_THAT(tayra(falling).output, doubts) << unsteady;
  }
  auto falling = words("run", "blast, radius: 0.3");
  falling.insert(falling.end(), {"--set", "physics.gravity=1"});
  EXPECT_THAT(tayra(falling).errors,
              AllOf(doubts, HasSubstr("(rt_single, rt_multi, rt_surface, hydrostatic)")));
  falling.insert(falling.end(), {"--force", "--quiet"});
  EXPECT_EQ(tayra(falling).errors, "") << "no error";
  for (const char* balanced : {"rt_single, amplitude: 0.1", "rt_single, atwood: 0.9, pressure: 2",
                               "rt_multi, modes: [1, 2]", "hydrostatic, profile: isothermal, pressure: 1.5",
                               "hydrostatic, pulse: {amplitude: 0.1}", "blast, radius: 0.3"})
    EXPECT_THAT(tayra(words("check", balanced)).output, Not(HasSubstr("not in balance"))) << balanced;
}

TEST_F(CommandLine, CheckSaysWhenFilesNeedMoreRoomThanThereIs) {
  const auto lacks = HasSubstr("\nhere       results has room for ");
  EXPECT_THAT(tayra({"check", "a.yaml", "--set", "run.steps=1e15"}).output, lacks);
  EXPECT_THAT(tayra({"check", "a.yaml"}).output, Not(lacks));
}

TEST_F(CommandLine, CheckSaysWhereLayersConvectByThemselvesAndWhatHelps) {
  const auto doubts = HasSubstr("layers of constant density convect by themselves");
  const auto check = [&](const std::string& key) {
    return tayra({"check", "a.yaml", "--set", "problem.atwood=0.5", "--set", key}).output;
  };
  const std::string told = check("problem.pressure=2");
  EXPECT_THAT(told, AllOf(doubts, HasSubstr("set problem.profile: isentropic")));
  const std::string to = "raise problem.pressure from 2 to ";
  const double quiet = std::stod(told.substr(told.find(to) + to.size()));
  EXPECT_THAT(check(fmt::format("problem.pressure={}", 1.02 * quiet)), Not(doubts));
  EXPECT_THAT(check(fmt::format("problem.pressure={}", 0.97 * quiet)), doubts);
  for (const char* other : {"isothermal", "isentropic"})
    EXPECT_THAT(check(fmt::format("problem={{name: rt_single, pressure: 2, profile: {}}}", other)),
                Not(doubts));
}

TEST_F(CommandLine, CheckNamesTheValuesThatFollowFromOtherKeys) {
  EXPECT_THAT(tayra({"check", "a.yaml"}).output,
              HasSubstr("\nderived    problem.interface, problem.pressure "));
  EXPECT_THAT(tayra({"check", "a.yaml", "--set", "problem.pressure=9"}).output,
              HasSubstr("\nderived    problem.interface (not given"));
}

TEST_F(CommandLine, CheckPredictsWhatARunLeavesOnTheDisk) {
  const std::vector<std::string> options{"--set", "grid.cells=[32, 32, 64]",
                                         "--set", "output.checkpoints.every_steps=2",
                                         "--set", "output.parts.half={every_steps: 2, stride: [2, 2, 2]}"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), options.begin(), options.end());
    return tayra(words);
  };
  // 4 fields of 4 bytes and 5 words of 8, by 65,536 cells, and some KiB around them.
  const ProcessEnd predicted = with({"check", "a.yaml"});
  EXPECT_THAT(
      predicted.output,
      HasSubstr("4 snapshots of 1.26 MiB, 5 parts/half of 174 KiB, at most 3 checkpoints of 2.51 MiB"));
  EXPECT_THAT(predicted.output, HasSubstr("disk       about 13.4 MiB: "));
  EXPECT_EQ(with({"run", "a.yaml"}).code, 0);
  const auto expect_files = [&](const std::string& directory, const std::string& extension, std::size_t count,
                                double mebibytes) {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path("results/" + directory))) {
      if (entry.path().extension() != extension) continue;
      ++found;
      EXPECT_NEAR(static_cast<double>(fs::file_size(entry)) / (1 << 20), mebibytes, 0.02) << entry.path();
    }
    EXPECT_EQ(found, count) << directory;
  };
  expect_files("snapshots", ".vtkhdf", 4, 1.25);
  expect_files("parts/half", ".vtkhdf", 5, 0.15625);
  expect_files("checkpoints", ".h5", 2, 2.5);
  EXPECT_THAT(with({"check", "a.yaml"}).output, HasSubstr("here       results already holds the results"));
  EXPECT_THAT(with({"check", "a.yaml", "--set", "output.snapshots.compression=deflate"}).output,
              HasSubstr("MiB before compression: "));
}

TEST_F(CommandLine, FlowThatBreaksDownStopsWithTheCellAndTheLastGoodSnapshot) {
  const ProcessEnd end = tayra({"run", "a.yaml", "--set", "problem.atwood=0.98", "--set",
                                "numerics.scheme=roe3", "--set", "numerics.positivity=false", "--set",
                                "run.steps=100000", "--set", "output.snapshots.every_steps=20"});
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("the flow broke down in cell ("), HasSubstr("density"),
                                HasSubstr("pressure"), HasSubstr("last good snapshot: results/snapshots/")));
  EXPECT_EQ(record()["status"].as<std::string>(), "failed");
  const std::size_t steps = std::stoul(first_column("results/timings.csv").back());
  EXPECT_THAT(end.errors, StartsWith("tayra: step " + std::to_string(steps) + ", time ")) << "the last row";
  EXPECT_EQ(snapshot_count(), (steps - 1) / 20 + 1);
}

TEST_F(CommandLine, ALogGetsWholeLinesWithoutControlCharacters) {
  const ProcessEnd end = tayra({"run", "a.yaml"});
  EXPECT_EQ(end.output.find('\r'), std::string::npos);
  EXPECT_EQ(end.output.find('\x1b'), std::string::npos);
  EXPECT_EQ(end.output.back(), '\n');
}

}  // namespace
}  // namespace tayra
