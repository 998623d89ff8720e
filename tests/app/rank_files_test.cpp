// Files that several ranks write: they are those of one rank, and one rank's trouble is heard once and leaves
// no half file.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "app/tayra_process.hpp"
#include "core/device.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// Vorticity looks beyond the edges of ranks, across the periodic ends too; the first of three ranks holds
// nothing of the part.
constexpr const char* config = R"(
problem: {name: acoustic_wave, amplitude: 0.1}
grid: {cells: [8, 6, 21], upper: [1, 1, 2], boundary: {x: periodic, y: periodic, z: periodic}}
run: {steps: 20, device: cpu, halo: host}  # without trials, in which ranks that outnumber the cores can stall
output:
  snapshots: {every_steps: 10, fields: [density, velocity, vorticity], precision: double}
  parts:
    above: {every_steps: 10, lower: [0, 0, 1], upper: [1, 1, 2], stride: [2, 1, 2], fields: [vorticity], compression: deflate}
  pictures: {every_seconds: 0}  # which come by the clock
  checkpoints: {every_steps: 10}
)";

class FilesOfRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    write_file(folder_.path("config.yaml"), config);
  }

  ProcessEnd run(int ranks, const std::string& output, const std::vector<std::string>& options = {},
                 const std::string& before = "") const {
    std::string command = "timeout 100 mpirun --oversubscribe -n " + std::to_string(ranks) + " sh -c '" +
                          before + "exec " TAYRA_BINARY " run config.yaml --quiet --output " + output;
    for (const std::string& option : options) command += " " + option;
    return run_shell(command + "'", folder_.path());
  }
  std::vector<std::string> files_in(const std::string& output) const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path(output)))
      if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), folder_.path(output)).string());
    return files;
  }
  /// What happens to files in rank 1, or whatever rank a shell's pattern fits.
  static std::string disk([[maybe_unused]] const std::string& what,
                          [[maybe_unused]] const std::string& of_ranks,
                          [[maybe_unused]] const std::string& files = "checkpoints*|timings.csv") {
#ifdef BAD_DISK
    return "case $OMPI_COMM_WORLD_RANK in " + of_ranks +
           ") export LD_PRELOAD=" BAD_DISK " \"DISK_FILES=*/@(" + files + ")\" " + what + ";; esac; ";
#else
    return "";
#endif
  }
  static bool has_bad_disk() { return !disk("", "").empty(); }
  static std::string failing_files() {
#ifdef FAILING_FILES
    return FAILING_FILES;
#else
    return "";
#endif
  }

  /// The newest checkpoint, whichever rank meets such a disk.
  void expect_unread_checkpoint_stays(const std::string& what, const std::string& reason) const {
    if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
    for (const std::string side_by_side : {"1", "2"}) {  // then each has rows of all planes
      const std::vector<std::string> cut{"--set", "grid.cells=[8,8,21]", "--set",
                                         "run.cut_y=" + side_by_side};
      auto first = cut, on = cut;
      first.push_back("--force");
      on.insert(on.end(), {"--resume", "--set", "run.steps=25"});
      ASSERT_EQ(run(2, "two", first).code, 0);
      const auto before = files_in("two");
      for (const std::string rank : {"0", "1"}) {
        const ProcessEnd end = run(2, "two", on, disk(what, rank, "checkpoints/000020.h5"));
        EXPECT_EQ(end.code, 1) << side_by_side << " side by side";
        EXPECT_THAT(end.errors, AllOf(HasSubstr("two/checkpoints/000020.h5 cannot be read just now"),
                                      HasSubstr("(" + reason + ")"), HasSubstr("nothing was changed")));
        EXPECT_THAT(files_in("two"), testing::UnorderedElementsAreArray(before));
      }
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(FilesOfRanks, AreThoseOfOneRankToTheByte) {
  for (const int ranks : {1, 3}) {
    const ProcessEnd end = run(ranks, ranks == 1 ? "one" : "three");
    ASSERT_EQ(end.code, 0) << end.errors;
  }
  const auto remains = [&](const std::string& output) {
    std::map<std::string, std::string> texts;
    for (const std::string& file : files_in(output))
      if (file.find('/') != std::string::npos) texts[file] = text_of(folder_.path(output + "/" + file));
    return texts;
  };
  const auto one = remains("one"), three = remains("three");
  EXPECT_EQ(one.size(), 12u);
  for (const auto& [file, text] : one) EXPECT_TRUE(three.contains(file) && three.at(file) == text) << file;
  EXPECT_EQ(three.size(), one.size());
}

TEST_F(FilesOfRanks, HaveTheirNamesLongBeforeTheNextOnesAreDue) {
  const TayraProcess endless(
      {"--oversubscribe", "-n", "2", TAYRA_BINARY, "run", "config.yaml", "--quiet", "--output", "two",
       "--set", "run.steps=1e9", "--set", "output.snapshots.every_steps=1e9", "--set", "output.parts={}",
       "--set", "output.checkpoints.every_steps=1e9"},
      folder_.path(), "mpirun");
  wait_for_file(folder_.path("two/snapshots/000000.vtkhdf"), endless);
  endless.send(SIGUSR1);
  EXPECT_THAT(endless.wait().errors, HasSubstr("stopped by SIGUSR1"));
}

TEST_F(FilesOfRanks, OfCheckpointsThatAreNotKeptAreRemovedByAll) {
  ASSERT_EQ(run(2, "two", {"--set", "output.checkpoints.keep=1"}).code, 0);
  for (const std::string& file : files_in("two"))
    if (file.starts_with("checkpoints/")) {
      EXPECT_THAT(file, HasSubstr("000020"));
    }
}

TEST_F(FilesOfRanks, GoOnToTheSameEndOnAnotherNumberOfThem) {
  ASSERT_EQ(run(1, "one").code, 0);
  ASSERT_EQ(run(3, "three", {"--set", "run.steps=15"}).code, 0);
  fs::remove(folder_.path("three/checkpoints/000015.h5"));
  const ProcessEnd end = run(2, "three", {"--resume"});
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_THAT(text_of(folder_.path("three/run.json")), HasSubstr("000010.h5"));
  for (const std::string file : {"snapshots/000002.vtkhdf", "checkpoints/000020.h5"})
    EXPECT_TRUE(text_of(folder_.path("one/" + file)) == text_of(folder_.path("three/" + file))) << file;
}

TEST_F(FilesOfRanks, AreWrittenByNoRankWhenOneHasNoRoom) {
  const std::string full_disk = "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then ulimit -f 16; fi; trap \"\" XFSZ; ";
  const ProcessEnd end = run(3, "three", {"--set", "output.on_write_error=warn"},
                             "export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo; " + full_disk);
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, HasSubstr("reached its end at step 20, time"));
  const std::string told = "snapshot three/snapshots/000001.vtkhdf was not written: ";
  const auto first = end.errors.find(told);
  ASSERT_NE(first, std::string::npos) << end.errors;
  EXPECT_EQ(end.errors.find(told, first + 1), std::string::npos) << "it should be told once";
  EXPECT_THAT(end.errors, HasSubstr("(File too large) on rank 1"));
  for (const std::string& file : files_in("three"))
    EXPECT_THAT(file, Not(AnyOf(HasSubstr("snapshots/0"), HasSubstr(".tmp"))));
}

TEST_F(FilesOfRanks, AreNotWrittenIntoAFolderThatOneOfThemDoesNotSee) {
  if (std::system("unshare --mount true 2> /dev/null") != 0) GTEST_SKIP() << "mounting is not permitted here";
  fs::create_directory(folder_.path("three"));
  const std::string own_disk =
      "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then exec unshare --mount sh -c "
      "\"mount -t tmpfs none three && exec " TAYRA_BINARY
      " run config.yaml --quiet --force --output three\"; fi; ";
  const ProcessEnd end = run(3, "three", {"--force"}, own_disk);
  EXPECT_EQ(end.code, 1);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("snapshot three/snapshots/000000.vtkhdf was not written: cannot "),
                                HasSubstr("(No such file or directory) on rank 1")));
}

TEST_F(FilesOfRanks, HaveNoNameBeforeTheDiskHasThem) {
  if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
  for (const std::string folder : {"snapshots", "checkpoints"}) {
    const ProcessEnd end = run(2, "two", {"--force"}, disk("DISK_FAILS=1", "1", folder + "/0*"));
    EXPECT_EQ(end.code, 1) << end.errors;
    EXPECT_THAT(end.errors, HasSubstr("cannot force it to the disk (Input/output error) on rank 1"));
    const auto files = files_in("two");
    EXPECT_THAT(files, testing::Contains("run.json"));
    for (const std::string& file : files)
      EXPECT_THAT(file, Not(AnyOf(HasSubstr(folder + "/0"), HasSubstr(".tmp"))));
  }
}

TEST_F(FilesOfRanks, MayTakeLongerThanThePatience) {
  if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
  const std::vector<std::string> few_files{"--set", "run.steps=5", "--set", "output.parts={}"};
  auto impatient = few_files;
  impatient.insert(impatient.end(), {"--set", "run.timeout=3"});
  const ProcessEnd end = run(3, "three", impatient, disk("DISK_SECONDS=4", "*"));
  EXPECT_EQ(end.code, 0) << end.errors;
  ASSERT_EQ(run(1, "one", few_files).code, 0);
  EXPECT_TRUE(text_of(folder_.path("one/checkpoints/000005.h5")) ==
              text_of(folder_.path("three/checkpoints/000005.h5")));
}

TEST_F(FilesOfRanks, AreWrittenThoughTheDiskRefusesLogs) {
  if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
  const ProcessEnd end =
      run(2, "two", {"--set", "output.on_write_error=warn"}, disk("DISK_FAILS=1", "0", "timings.csv"));
  EXPECT_THAT(end.errors, HasSubstr("timings.csv"));
  EXPECT_THAT(files_in("two"), testing::IsSupersetOf({"checkpoints/000010.h5", "checkpoints/000020.h5"}));
}

TEST_F(FilesOfRanks, MayTakeLongerThanThePatienceToOpen) {
  if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
  ASSERT_EQ(run(2, "two").code, 0);
  const ProcessEnd end = run(2, "two", {"--resume", "--set", "run.steps=25", "--set", "run.timeout=2"},
                             disk("DISK_OPENS=1 DISK_SECONDS=4", "0", "checkpoints/000020.h5"));
  EXPECT_EQ(end.code, 0) << end.errors;
}

TEST_F(FilesOfRanks, ThatARankMayNotReadJustNowStayAndAreNoReasonToGoFurtherBack) {
  expect_unread_checkpoint_stays("DISK_OPENS=1 DISK_REFUSES=1", "Permission denied");
}

TEST_F(FilesOfRanks, ThatTheDiskFailsToReadJustNowStayAndAreNoReasonToGoFurtherBack) {
  expect_unread_checkpoint_stays("DISK_READS_FAIL=1", "Input/output error");
}

class GpuFilesOfRanks : public FilesOfRanks {
 protected:
  void SetUp() override {
    if (cuda_devices().size() < 2) GTEST_SKIP() << "fewer than two GPUs";
    FilesOfRanks::SetUp();
  }
};

// A GPU that waits for its neighbour hears nothing of disks: rank 1 has no memory left while it waits for its
// own.
TEST_F(GpuFilesOfRanks, MayTakeLongerThanThePatience) {
  if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
  const ProcessEnd end =
      run(2, "two",
          {"--device", "cuda", "--halo", "direct", "--set", "run.timeout=3", "--set",
           "grid.cells=[128,128,64]", "--set", "run.steps=60", "--set", "output.checkpoints.every_steps=30",
           "--set", "output.writer_memory=1", "--set", "output.parts={}"},
          disk("DISK_SECONDS=5", "1"));
  EXPECT_EQ(end.code, 0) << end.errors;
}

// Who is stopped there gives no sign of life, as a slow disk's rank does.
TEST_F(FilesOfRanks, AreGivenUpAfterThePatienceWhenOneOfThemHangsThere) {
  if (!has_bad_disk()) GTEST_SKIP() << "no library goes before the sanitizers'";
  const auto start = std::chrono::steady_clock::now();
  const ProcessEnd end =
      run(3, "three", {"--set", "run.timeout=3", "--set", "run.steps=10"}, disk("DISK_HANGS=1", "1"));
  EXPECT_EQ(end.code, 4) << end.errors;
  EXPECT_THAT(end.errors,
              AllOf(HasSubstr(" for 3 s"), HasSubstr("rank 1 does not answer: it has been at its files")));
  EXPECT_THAT(text_of(folder_.path("three/run.json")), HasSubstr("\"status\": \"lost\""));
  const auto first = end.errors.find("tayra: ");
  EXPECT_EQ(end.errors.find("tayra: ", first + 1), std::string::npos) << "told once: " << end.errors;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), 30);
}

TEST_F(FilesOfRanks, ThatFailOnTheirWayOnOneOfThemEndOnAllAndAreToldOnce) {
  const ProcessEnd end =
      run_shell("timeout 100 mpirun --oversubscribe -n 3 " + failing_files(), folder_.path());
  EXPECT_EQ(end.code, 0) << end.errors;
  std::string expected;
  for (int i = 0; i < 2; ++i) {  // with and without memory
    for (const std::string problem : {"no pinned memory is left", "out of memory"})
      for (const std::string file :
           {"snapshot out/snapshots/000000.vtkhdf", "checkpoint out/checkpoints/000042.h5"})
        expected += file + " was not written: " + problem + " on rank 1\n";
  }
  EXPECT_EQ(end.output, expected) << end.errors;
  for (const std::string& file : files_in(".")) EXPECT_THAT(file, Not(HasSubstr(".tmp")));
}

TEST_F(FilesOfRanks, ThatARankCannotTakeEndWithItsOwnExitCode) {
  const ProcessEnd end =
      run_shell("timeout 100 mpirun --oversubscribe -n 3 " + failing_files() + " load", folder_.path());
  EXPECT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(end.output, "exit code 3: the GPU takes no planes\n") << end.errors;
}

TEST_F(FilesOfRanks, WaitInTheirShareOfTheMemoryOfTheirNode) {
  const ProcessEnd end =
      run_shell("timeout 100 mpirun --oversubscribe -n 3 " + failing_files() + " memory", folder_.path());
  EXPECT_EQ(end.output, "of 1200 bytes that are free 100\n") << end.errors;
}

// Ranks that share planes read a piece together, each as often as the others.
TEST_F(FilesOfRanks, HavePiecesOfOneSizeHoweverMuchMemoryEachRankHas) {
  const ProcessEnd end =
      run_shell("timeout 100 mpirun --oversubscribe -n 3 " + failing_files() + " pieces", folder_.path());
  EXPECT_EQ(end.output, "2097152\n2097152\n2097152\n") << end.errors;
}

TEST_F(FilesOfRanks, AreGivenUpByARankWhoseDeviceIsGoneWithItsReason) {
  const ProcessEnd end =
      run_shell("timeout 100 mpirun --oversubscribe -n 3 " + failing_files() + " device", folder_.path());
  EXPECT_EQ(end.code, 4) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("rank 1: the GPU is gone"));
}

// The others wait for its rows, without a limit where files are written.
TEST_F(FilesOfRanks, AreGivenUpByARankThatCannotGiveTheOthersItsRows) {
  const ProcessEnd end =
      run_shell("timeout 20 mpirun --oversubscribe -n 3 " + failing_files() + " layer", folder_.path());
  EXPECT_EQ(end.code, 4) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("rank 1: out of memory"));
}

}  // namespace
}  // namespace tayra
