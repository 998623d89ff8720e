// Runs that lose processes are started again and end with the bits of one that was left alone.
#include "app/supervise.hpp"

#include <gmock/gmock.h>
#include <pty.h>

#include <chrono>
#include <random>
#include <thread>

#include "app/run_command.hpp"
#include "app/signals.hpp"
#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "grid/ranks.hpp"
#include "io/run_record.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* config = R"(
problem: {name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [1, 2], seed: 3}
grid: {cells: [8, 8, 16], upper: [1, 1, 2]}
run: {steps: 1500, device: cpu}
output: {directory: out, diagnostics: {every_steps: 50}, checkpoints: {every_steps: 20}}
)";

const std::vector<std::string> three_ranks{"mpirun", "--oversubscribe", "-n",     "3", TAYRA_BINARY,
                                           "run",    "config.yaml",     "--quiet"};

/// Of attempt $1 of a script in the place of the program.
constexpr const char* count_attempts = "echo >> attempts; set -- $(wc -l < attempts) \"$@\"\n";
constexpr const char* lost_while_running =
    "sleep 0.1; echo '{\"status\": \"running\"}' > out/run.json; kill -9 $$\n";

std::string lost_after_going_on_from(const std::string& step) {
  return "sleep 0.1; echo '{\"status\": \"running\", \"resumed_from\": {\"step\": " + step +
         "}}' > out/run.json; kill -9 $$\n";
}

RunCommand command_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return RunCommand(words);
}

TEST(RunCommand, KnowsHowManyRanksOrGpusItStarts) {
  EXPECT_EQ(command_of("mpirun -n 4 --bind-to none tayra run a.yaml").size(), 4);
  EXPECT_EQ(command_of("mpirun -np 6 /opt/bin/tayra run a.yaml --gpus 2").size(), 6);
  EXPECT_EQ(command_of("srun --ntasks=16 tayra run a.yaml").size(), 16);
  EXPECT_EQ(command_of("nice -n 10 /opt/bin/mpirun -n 4 nice -n 5 tayra run a.yaml").size(), 4);
  EXPECT_EQ(command_of("my_launcher -n 3 tayra run a.yaml").size(), 3);
  EXPECT_EQ(command_of("nice -n 10 mpirun.openmpi -n 4 tayra run a.yaml").size(), 4);
  EXPECT_EQ(command_of("nice -n 10 tayra run a.yaml --gpus 2").size(), 2);
  EXPECT_EQ(command_of("ionice -c 2 -n 7 mpirun -n 4 tayra run a.yaml").size(), 4);
  EXPECT_EQ(command_of("ionice -c 2 -n 7 tayra run a.yaml --gpus 2").size(), 2);
  EXPECT_EQ(command_of("srun -n4 nice -n 5 tayra run a.yaml").size(), 4);
  EXPECT_FALSE(command_of("mpirun --oversubscribe nice -n 5 tayra run a.yaml").size());
  EXPECT_EQ(command_of("tayra run a.yaml --gpus 3").size(), 3);
  EXPECT_FALSE(command_of("srun tayra run a.yaml").size());
}

TEST(RunCommand, GoesOnWithFewerAndFromItsCheckpoint) {
  const RunCommand first = command_of("mpirun -n 4 tayra run a.yaml --force --set run.steps=9");
  EXPECT_THAT(first.going_on().with_size(3).words(),
              ElementsAre("mpirun", "-n", "3", "tayra", "run", "a.yaml", "--set", "run.steps=9", "--resume"));
  EXPECT_EQ(first.going_on().going_on().words(), first.going_on().words());
  EXPECT_THAT(
      command_of("nice -n 10 mpirun -n 4 tayra run --force=true -- a.yaml").going_on().with_size(2).words(),
      ElementsAre("nice", "-n", "10", "mpirun", "-n", "2", "tayra", "run", "--resume", "--", "a.yaml"));
  EXPECT_THAT(command_of("srun -n16 tayra run a.yaml").with_size(8).words(),
              ElementsAre("srun", "-n8", "tayra", "run", "a.yaml"));
  EXPECT_THAT(command_of("srun --ntasks=4 tayra run a.yaml --resume").with_size(2).going_on().words(),
              ElementsAre("srun", "--ntasks=2", "tayra", "run", "a.yaml", "--resume"));
}

TEST(RunCommand, GoesOnWithFewerGpusWhereverTheirNumberIsGiven) {
  EXPECT_THAT(command_of("tayra run a.yaml --gpus=4").with_gpus(3).words(),
              ElementsAre("tayra", "run", "a.yaml", "--gpus=3"));
  EXPECT_THAT(command_of("mpirun -n 1 tayra run -- a.yaml").with_gpus(2).words(),
              ElementsAre("mpirun", "-n", "1", "tayra", "run", "--gpus", "2", "--", "a.yaml"));
}

TEST(RunCommand, TakesAnyCutOnceWhichOverridesTheOneAskedFor) {
  const RunCommand cut = command_of("mpirun -n 4 tayra run --set run.cut_y=4 -- a.yaml").with_any_cut();
  EXPECT_THAT(cut.words(), ElementsAre("mpirun", "-n", "4", "tayra", "run", "--set", "run.cut_y=4", "--set",
                                       "run.cut_y=auto", "--", "a.yaml"));
  EXPECT_EQ(cut.with_any_cut().words(), cut.words());
}

TEST(Supervise, GoesOnAfterALossButNotAfterWhatWouldHappenAgain) {
  constexpr int killed = 137, failed = 1, bad_input = 2, unavailable = 3, lost = 4, not_found = 127,
                illegal_instruction = 132, of_a_launcher = 213;
  for (const bool has_run_before : {false, true}) {
    EXPECT_TRUE(may_go_on(killed, "running", has_run_before));
    EXPECT_TRUE(may_go_on(killed, "stopped", has_run_before)) << "the launcher's own SIGTERM";
    EXPECT_TRUE(may_go_on(lost, "lost", has_run_before));
    EXPECT_TRUE(may_go_on(of_a_launcher, "running", has_run_before));
    EXPECT_TRUE(may_go_on(failed, "running", has_run_before)) << "the launcher's code, not the run's";
    EXPECT_FALSE(may_go_on(failed, "failed", has_run_before));
    EXPECT_FALSE(may_go_on(failed, "stopped", has_run_before));
    EXPECT_FALSE(may_go_on(bad_input, "", has_run_before));
    EXPECT_TRUE(may_go_on(killed, "", has_run_before));
    for (const int code : {failed, not_found, of_a_launcher, illegal_instruction})
      EXPECT_EQ(may_go_on(code, "", has_run_before), has_run_before) << code;
    EXPECT_EQ(may_go_on(unavailable, "", has_run_before), has_run_before)
        << "a GPU that was there may be gone";
  }
}

class Supervised : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    write_file(folder_.path("config.yaml"), config);
  }

  TayraProcess start(const std::vector<std::string>& command, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words{"supervise"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
    return TayraProcess(words, folder_.path());
  }

  /// A shell script in the place of the program.
  void put_tayra(const std::string& lines) const {
    write_file(folder_.path("tayra"), "#!/bin/sh\n" + lines);
    fs::permissions(folder_.path("tayra"), fs::perms::owner_all);
  }

  /// The first two are lost after `before`, in which $1 is the attempt's number; the third begins anew.
  ProcessEnd lose_two_attempts(const std::string& before, const std::string& ranks,
                               const std::string& tries) {
    write_file(folder_.path("launcher"), "shift 2\nexec \"$@\"\n");
    put_tayra(std::string(count_attempts) +
              "if [ $1 = 3 ]; then rm -r out; shift; exec " TAYRA_BINARY " \"$@\"; fi\n" + before + "\n" +
              lost_while_running);
    return start({"sh", "launcher", "-n", ranks, "./tayra", "run", "config.yaml", "--quiet", "--set",
                  "run.steps=20"},
                 {"--tries", tries})
        .wait();
  }

  /// Processes in the test's folder that run a program.
  std::vector<pid_t> processes_of(const std::string& program) const {
    std::vector<pid_t> found;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const bool here = fs::read_symlink(entry.path() / "cwd", gone) == fs::canonical(folder_.path());
      const std::string words = text_of((entry.path() / "cmdline").string());
      if (here && words.starts_with(program)) found.push_back(std::stoi(name));
    }
    return found;
  }
  std::vector<pid_t> running_ranks() const { return processes_of(std::string(TAYRA_BINARY) + '\0' + "run"); }

  std::string newest_checkpoint() const {
    std::string newest;
    std::error_code none;
    for (const auto& file : fs::directory_iterator(folder_.path("out/checkpoints"), none))
      if (file.path().extension() == ".h5") newest = std::max(newest, file.path().string());
    return newest;
  }

  /// False when the run ended first.
  bool wait_for_another_checkpoint(const std::string& old) const {
    for (int i = 0; i < 6000; ++i) {
      if (newest_checkpoint() != old) return true;
      if (read_past_run(folder_.path("out/run.json")).status == "finished") return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  std::string fingerprint(const std::string& directory) const {
    const std::string record = text_of(folder_.path(directory + "/run.json"));
    const auto at = record.find("\"fingerprint\": \"");
    return at == std::string::npos ? "" : record.substr(at + 16, 16);
  }

  std::string undisturbed(const std::string& steps) const {
    const ProcessEnd end =
        run_tayra({"run", "config.yaml", "--quiet", "--output", "whole", "--set", "run.steps=" + steps},
                  folder_.path());
    EXPECT_EQ(end.code, 0) << end.errors;
    return fingerprint("whole");
  }

  void kill_at_random(int kills, const std::string& steps);
  void kill_at_random(int kills, std::vector<std::string> command, const std::string& steps,
                      const std::string& whole);

  TemporaryDirectory folder_;
};

void Supervised::kill_at_random(int kills, const std::string& steps) {
  kill_at_random(kills, three_ranks, steps, undisturbed(steps));
}

void Supervised::kill_at_random(int kills, std::vector<std::string> command, const std::string& steps,
                                const std::string& whole) {
  command.insert(command.end(), {"--set", "run.steps=" + steps});
  const TayraProcess process = start(command, {"--tries", "30", "--drop", "0"});
  std::mt19937 random(5);
  int hit = 0;
  while (hit < kills) {
    ASSERT_TRUE(wait_for_another_checkpoint(newest_checkpoint()))
        << "the run was over after " << hit << " kills";
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    const auto ranks = running_ranks();
    if (!ranks.empty() && kill(ranks[random() % ranks.size()], SIGKILL) == 0) ++hit;
    // Some hit while the next attempt starts.
    if (random() % 5 == 0 && hit < kills) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 600));
      const auto starting = running_ranks();
      if (!starting.empty() && kill(starting[random() % starting.size()], SIGKILL) == 0) ++hit;
    }
  }
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(fingerprint("out"), whole);
  EXPECT_THAT(text_of(folder_.path("out/run.json")),
              AllOf(HasSubstr("\"status\": \"lost\""), HasSubstr("killed by signal 9"),
                    HasSubstr("\"ranks\": " + std::to_string(*RunCommand(command).size()))));
}

TEST_F(Supervised, ARunWhoseRanksAreKilledEndsWithTheRightBits) { kill_at_random(3, "1500"); }

TEST_F(Supervised, ARunOneOfWhoseRanksIsStoppedEndsWithTheRightBits) {
  const std::string whole = undisturbed("500");
  std::vector<std::string> command = three_ranks;
  command.insert(command.end(), {"--set", "run.steps=500", "--set", "run.timeout=2"});
  const TayraProcess process = start(command);
  ASSERT_TRUE(wait_for_another_checkpoint(""));
  const auto ranks = running_ranks();
  ASSERT_EQ(ranks.size(), 3u);
  kill(ranks[1], SIGSTOP);
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors, AllOf(HasSubstr(" does not answer: it has been "),
                                HasSubstr("lost attempt 1 (exit code 4); going on from out/checkpoints/")));
  EXPECT_EQ(fingerprint("out"), whole);
}

TEST_F(Supervised, ARunWhoseRanksLieSideBySideIsStartedByOneThatHasNoneBeside) {
  const std::string whole = undisturbed("20");
  const ProcessEnd end = start({"mpirun", "--oversubscribe", "-n", "2", TAYRA_BINARY, "run", "config.yaml",
                                "--quiet", "--set", "run.steps=20", "--set", "run.cut_y=2"})
                             .wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(fingerprint("out"), whole);
}

using SlowSupervised = Supervised;

TEST_F(SlowSupervised, ARunWhoseRanksAreKilledFifteenTimesEndsWithTheRightBits) {
  kill_at_random(15, "4000");
}

class GpuSupervised : public Supervised {
 protected:
  void SetUp() override {
    if (cuda_devices().size() < 2) GTEST_SKIP() << "fewer than two GPUs";
    Supervised::SetUp();
  }
};

TEST_F(GpuSupervised, ARunWhoseRanksOnTwoGpusAreKilledEndsWithTheRightBits) {
  const std::vector<std::string> on_gpus{
      "--device", "cuda", "--set", "grid.cells=[64, 64, 128]", "--set", "output.checkpoints.every_steps=500"};
  const std::string steps = "20000";
  std::vector<std::string> alone{"run",   "config.yaml", "--quiet",           "--output",
                                 "whole", "--set",       "run.steps=" + steps};
  alone.insert(alone.end(), on_gpus.begin(), on_gpus.end());
  const ProcessEnd end = run_tayra(alone, folder_.path());
  ASSERT_EQ(end.code, 0) << end.errors;
  std::vector<std::string> two_ranks{"mpirun", "--oversubscribe", "-n",      "2",      TAYRA_BINARY,
                                     "run",    "config.yaml",     "--quiet", "--halo", "direct"};
  two_ranks.insert(two_ranks.end(), on_gpus.begin(), on_gpus.end());
  kill_at_random(2, two_ranks, steps, fingerprint("whole"));
  EXPECT_THAT(text_of(folder_.path("out/run.json")), HasSubstr("\"halo\": \"direct\""));
}

TEST_F(Supervised, ARunThatReplacesAnOldOneIsNotTakenForItWhenItIsLostBeforeItBegins) {
  const std::vector<std::string> run{"./tayra", "run", "config.yaml", "--quiet", "--set", "run.steps=20"};
  ASSERT_EQ(run_tayra({run.begin() + 1, run.end()}, folder_.path()).code, 0);
  put_tayra("if [ -e begun ]; then exec " TAYRA_BINARY " \"$@\"; fi\ntouch begun\nkill -9 $$\n");
  std::vector<std::string> anew = run;
  anew.emplace_back("--force");
  const ProcessEnd end = start(anew).wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(text_of(folder_.path("out/run.json")),
              AllOf(HasSubstr("\"resumed_from\": null"), HasSubstr("\"--force\"")))
      << "the old one's";
}

TEST_F(Supervised, AttemptsThatDoNotBeginAreFollowedByOthersOnceOneHasBegun) {
  put_tayra(std::string(count_attempts) +
            "case $1 in\n"
            "2|3) exit 213;;\n"
            "4) sleep 0.1; echo '{\"status\": \"finished\"}' > out/run.json; exit 0;;\n"
            "esac\nmkdir out; echo '{\"status\": \"running\"}' > out/run.json; kill -9 $$\n");
  const ProcessEnd end = start({"./tayra", "run", "config.yaml"}).wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(text_of(folder_.path("attempts")), "\n\n\n\n");
}

TEST_F(Supervised, ARunThatASignalKillsIsNotStartedAgain) {
  put_tayra(std::string(count_attempts) +
            "if [ $1 != 1 ]; then exit 2; fi\n"
            "mkdir out; echo '{\"status\": \"running\"}' > out/run.json; touch ready; exec sleep 60\n");
  const TayraProcess process = start({"./tayra", "run", "config.yaml"});
  wait_for_file(folder_.path("ready"), process);
  process.send(SIGTERM);
  const ProcessEnd end = process.wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              HasSubstr("not started again after exit code 143: killed by signal 15, Terminated (it "
                        "was stopped by SIGTERM)"));
  EXPECT_EQ(text_of(folder_.path("attempts")), "\n");
}

TEST_F(Supervised, AnAttemptThatNeverBeganIsNoEndOfTheOneBefore) {
  fs::create_directory(folder_.path("out"));
  const std::string record = "{\"status\": \"stopped\", \"message\": \"stopped by SIGTERM\"}\n";
  write_file(folder_.path("out/run.json"), record);
  put_tayra(std::string(count_attempts) +
            "if [ $1 = 1 ]; then kill -9 $$; fi\n"
            "cp out/run.json found; sleep 0.1; echo '{\"status\": \"finished\"}' > out/run.json\n");
  const ProcessEnd end = start({"./tayra", "run", "config.yaml", "--resume"}).wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(text_of(folder_.path("found")), record);
}

TEST_F(Supervised, AFinishedRunIsNotStartedAgainWhenItsLauncherFailsAfterwards) {
  put_tayra(TAYRA_BINARY " \"$@\"\nexit 213\n");
  const ProcessEnd end = start({"./tayra", "run", "config.yaml", "--quiet", "--set", "run.steps=20"}).wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(text_of(folder_.path("out/run.json")),
              AllOf(HasSubstr("\"status\": \"finished\""), Not(HasSubstr("\"status\": \"lost\""))));
}

TEST_F(Supervised, ALossThatFindsNoRoomInTheRecordIsNoReasonToGiveUp) {
  put_tayra("if [ -e out ]; then rmdir out/run.json.tmp; exec " TAYRA_BINARY
            " \"$@\"; fi\nmkdir -p out/run.json.tmp\n"
            "echo '{\"status\": \"running\"}' > out/run.json\nkill -9 $$\n");
  const ProcessEnd end = start({"./tayra", "run", "config.yaml", "--quiet", "--set", "run.steps=20"}).wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("cannot record the lost attempt: cannot write out/run.json"));
}

TEST_F(Supervised, OnlyAttemptsInARowWithoutACheckpointCount) {
  put_tayra(
      "echo >> attempts\n"
      "case $(wc -l < attempts) in\n"
      "2) mkdir -p out/checkpoints; touch out/checkpoints/000020.h5; status=running;;\n"
      "4) status=finished;;\n"
      "*) kill -9 $$;;\n"
      "esac\n"
      "echo \"{\\\"status\\\": \\\"$status\\\"}\" > out/run.json\n"
      "[ $status = finished ]\n");
  const ProcessEnd end = start({"./tayra", "run", "config.yaml"}, {"--tries", "2"}).wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors, AllOf(HasSubstr("lost attempt 1 (exit code 137: killed by signal 9"),
                                HasSubstr("lost attempt 2 (exit code 1); going on from "
                                          "out/checkpoints/000020.h5: ./tayra run config.yaml --resume"),
                                HasSubstr("lost attempt 3 "), Not(HasSubstr("lost attempt 4"))));
}

TEST_F(Supervised, ARunThatGetsNowhereIsTriedWithoutAsManyRanksAsItIsToDropAndGivenUp) {
  write_file(folder_.path("launcher"), "shift 2\nexec \"$@\"\n");
  put_tayra("exit 139\n");
  const std::vector<std::string> command{"sh", "launcher", "-n", "8", "./tayra", "run", "config.yaml"};
  ProcessEnd end = start(command, {"--tries", "4", "--drop", "5"}).wait();
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.errors,
              AllOf(HasSubstr("going on from the beginning: sh launcher -n 3 "),
                    HasSubstr("-n 1 ./tayra run config.yaml --resume"), Not(HasSubstr("-n 0")),
                    HasSubstr("given up: 4 attempts in a row wrote no new checkpoint (the last")));
  end = start(command, {"--tries", "2", "--drop", "0"}).wait();
  EXPECT_THAT(end.errors, HasSubstr("going on from the beginning: sh launcher -n 8 "));
}

// 3 ranks make no layer of 4 slabs side by side.
TEST_F(Supervised, ARunThatIsCutAlongYIsCutAsFitsWhereRanksAreLeftOut) {
  write_file(folder_.path("launcher"), "shift 2\nexec \"$@\"\n");
  const std::vector<std::string> command{"sh", "launcher", "-n", "4", "./tayra", "run", "config.yaml"};
  const auto errors_with_cut = [&](const std::string& cut) {
    put_tayra("mkdir -p out; echo '{\"status\": \"lost\", \"machine\": {\"cut_y\": " + cut +
              "}}' > out/run.json; exit 4\n");
    return start(command, {"--tries", "3"}).wait().errors;
  };
  EXPECT_THAT(errors_with_cut("4"), HasSubstr("-n 3 ./tayra run config.yaml --set run.cut_y=auto --resume"));
  EXPECT_THAT(errors_with_cut("1"), Not(HasSubstr("cut_y")));
}

TEST_F(Supervised, AGpuThatAnAuditFoundToErrIsLeftOutIfDropIsGiven) {
  put_tayra(std::string(count_attempts) +
            "echo \"$CUDA_VISIBLE_DEVICES\" >> visible; mkdir -p out\n"
            "echo '{\"status\": \"lost\", \"gpu_that_erred\": 1, \"machine\": {\"ranks\": '$RANKS'}}' > "
            "out/run.json; exit 4\n");
  const std::vector<std::string> command{"./tayra", "run", "config.yaml"};
  setenv("CUDA_VISIBLE_DEVICES", "2,5,7", 1);
  setenv("RANKS", "1", 1);
  ProcessEnd end = start(command, {"--tries", "2", "--drop", "1"}).wait();
  EXPECT_THAT(end.errors, HasSubstr("going on without GPU 1: CUDA_VISIBLE_DEVICES=2,7"));
  EXPECT_EQ(text_of(folder_.path("visible")), "2,5,7\n2,7\n");
  end = start(command, {"--tries", "2"}).wait();
  EXPECT_THAT(end.errors, Not(HasSubstr("going on without GPU")));
  setenv("RANKS", "4", 1);
  end = start(command, {"--tries", "2", "--drop", "1"}).wait();
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.errors, HasSubstr("GPU 1 of a run of 4 ranks erred (its launcher decides"));
  unsetenv("RANKS");
  unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_F(Supervised, CheckpointsThatCannotBeListedAreNoReasonForFewerRanks) {
  const ProcessEnd end = lose_two_attempts(
      "if [ $1 = 1 ]; then mkdir out; ln -s /nowhere out/checkpoints; else rm out/checkpoints; fi", "3", "3");
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(end.errors,
              AllOf(HasSubstr("lost attempt 1 (exit code 137: killed by signal 9, Killed); going on from the "
                              "newest checkpoint: sh launcher -n 3 "),
                    HasSubstr("going on from the beginning: sh launcher -n 2 ")));
}

TEST_F(Supervised, ARunWhoseCheckpointsCanNeverBeListedIsGivenUpForThat) {
  put_tayra("mkdir out && ln -s /nowhere out/checkpoints\n" + std::string(lost_while_running));
  const ProcessEnd end = start({"./tayra", "run", "config.yaml"}, {"--tries", "2"}).wait();
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(
      end.errors,
      HasSubstr("given up: 2 attempts in a row wrote no new checkpoint that could be read (cannot read "
                "out/checkpoints (No such file or directory)"));
}

TEST_F(Supervised, ACheckpointWrittenAnewIsANewOneAndAnOlderOneThatIsLeftIsNone) {
  put_tayra(std::string(count_attempts) +
            "mkdir -p out/checkpoints\n"
            "case $1 in 1) touch out/checkpoints/000010.h5;; 3) rm out/checkpoints/000020.h5;; esac\n"
            "if [ $1 -lt 3 ]; then touch out/checkpoints/000020.h5; fi\n" +
            "if [ $1 = 1 ]; then " + lost_while_running + "fi\n" + lost_after_going_on_from("10"));
  const ProcessEnd end = start({"./tayra", "run", "config.yaml"}, {"--tries", "1"}).wait();
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.errors, HasSubstr("given up: 1 attempts in a row wrote no new checkpoint"));
  EXPECT_EQ(text_of(folder_.path("attempts")), "\n\n\n");
}

TEST_F(Supervised, AnErrorThatWouldHappenAgainIsNotTriedAgain) {
  std::vector<std::string> mistaken = three_ranks;
  mistaken.insert(mistaken.end(), {"--set", "problem.name=no_such"});
  ProcessEnd end = start(mistaken).wait();
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, Not(HasSubstr("attempt"))) << "the config is read before anything is started";
  fs::create_directories(folder_.path("out"));
  write_file(folder_.path("out/run.json"), "{\"status\": \"finished\"}");
  end = start(three_ranks).wait();
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("already holds the results"), HasSubstr("not started again")));
}

TEST_F(Supervised, ACodeThatIsNoneOfTayrasIsAFailure) {
  put_tayra("exit 127\n");
  const ProcessEnd end = start({"./tayra", "run", "config.yaml"}).wait();
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors,
              HasSubstr("not started again after exit code 127 (another attempt would end the same way)"));
}

TEST_F(Supervised, ASignalIsPassedOnAndEndsTheRunWithACheckpoint) {
  for (const auto& [signal, name] : {std::pair(SIGUSR1, "SIGUSR1"), std::pair(SIGHUP, "SIGHUP")}) {
    if (signal == SIGHUP && is_ignored(SIGHUP)) continue;  // under nohup
    const TayraProcess process =
        start({TAYRA_BINARY, "run", "config.yaml", "--quiet", "--force", "--set", "run.steps=1e9"});
    ASSERT_TRUE(wait_for_another_checkpoint(newest_checkpoint()));
    process.send(signal);
    const ProcessEnd end = process.wait();
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.errors, AllOf(HasSubstr(std::string("stopped by ") + name + " at step"),
                                  HasSubstr(std::string("(it was stopped by ") + name + ")")));
  }
}

// Of two that come at once the run mostly sees but one: that shows only after many.
TEST_F(Supervised, EachCtrlCReachesTheRunOnce) {
  put_tayra("trap 'echo >> interrupts' INT; touch ready; while [ ! -e stop ]; do sleep 0.01; done\n");
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    if (chdir(folder_.path().c_str()) == 0)
      execl(TAYRA_BINARY, TAYRA_BINARY, "supervise", "--", "./tayra", "run", "config.yaml", nullptr);
    _exit(127);
  }
  ASSERT_GT(process, 0);
  const auto wait_for = [](const auto& has_come) {
    for (int i = 0; i < 2000 && !has_come(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return has_come();
  };
  EXPECT_TRUE(wait_for([&] { return fs::exists(folder_.path("ready")); }));
  constexpr std::size_t all = 60;
  for (std::size_t sent = 1; sent <= all; ++sent) {
    EXPECT_EQ(write(terminal, "\x03", 1), 1);
    const bool has_come = wait_for([&] { return text_of(folder_.path("interrupts")).size() >= sent; });
    EXPECT_TRUE(has_come) << sent;
    if (!has_come) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  write_file(folder_.path("stop"), "");
  waitpid(process, nullptr, 0);
  close(terminal);
  EXPECT_EQ(text_of(folder_.path("interrupts")).size(), all);
}

TEST_F(Supervised, ARunMayHaveItsGpusOnOtherHosts) {
  put_tayra("touch started\n");
  const std::string more_than_here = std::to_string(cuda_devices().size() + 1);
  const ProcessEnd end =
      start({"./tayra", "run", "config.yaml", "--gpus", more_than_here, "--set", "grid.cells=[8,8,64]"})
          .wait();
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_TRUE(fs::exists(folder_.path("started")));
}

TEST_F(Supervised, ABranchIsRefusedAndToldHowToBegin) {
  const ProcessEnd end =
      start({TAYRA_BINARY, "run", "config.yaml", "--resume", "a/checkpoints/000020.h5"}).wait();
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("--resume FILE can't be supervised"));
  EXPECT_FALSE(fs::exists(folder_.path("out")));
}

TEST_F(Supervised, ARunWithoutCheckpointsOrWithoutTayraIsRefused) {
  std::vector<std::string> command = three_ranks;
  command.insert(command.end(), {"--set", "output.checkpoints.keep=0"});
  EXPECT_THAT(start(command).wait().errors, HasSubstr("output.checkpoints.keep is 0"));
  const ProcessEnd end = start({"mpirun", "-n", "2", "true"}).wait();
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("there is no 'tayra run' to supervise"));
  EXPECT_THAT(start({TAYRA_BINARY, "run", "config.yaml", "--help"}).wait().errors,
              HasSubstr("tayra run --help is no run to supervise"));
}

}  // namespace
}  // namespace tayra
