// Tests of run directories: nothing of the user's is ever lost.
#include "io/run_directory.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;
using testing::AllOf, testing::HasSubstr;

void put(const std::string& path) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << "text";
}

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "";
}

std::string refusal(const RunDirectory& run, ExistingResults existing) {
  return refusal([&] { run.check(existing); });
}

TEST(RunDirectory, IsMadeWithItsParents) {
  const TemporaryDirectory directory;
  const RunDirectory run(directory.path("a/b"));
  run.create(ExistingResults::refuse);
  EXPECT_TRUE(fs::is_directory(run.snapshots()));
}

TEST(RunDirectory, CheckingChangesNothing) {
  const TemporaryDirectory directory;
  RunDirectory(directory.path("a/b")).check(ExistingResults::replace);
  EXPECT_TRUE(fs::is_empty(directory.path()));
}

TEST(RunDirectory, RefusesEarlierResultsAndSaysWhatToDo) {
  for (const char* result : {"run.json", "snapshots/000003.vtkhdf", "checkpoints/000001.h5"}) {
    const TemporaryDirectory directory;
    put(directory.path(result));
    EXPECT_THAT(refusal(RunDirectory(directory.path()), ExistingResults::refuse), HasSubstr("--force"))
        << result;
  }
}

TEST(RunDirectory, MayHoldFilesOfOthers) {
  const TemporaryDirectory directory;
  put(directory.path("notes.txt"));
  fs::create_symlink("circle", directory.path("circle"));
  fs::create_symlink("run.json", directory.path("run.json"));
  EXPECT_EQ(refusal(RunDirectory(directory.path()), ExistingResults::refuse), "");
}

TEST(RunDirectory, IsClearedOfEarlierResultsAndOfNothingElse) {
  const TemporaryDirectory directory;
  const std::vector<std::string> own{"config.yaml",
                                     "run.json",
                                     "timings.csv",
                                     "slab_timings.csv",
                                     "diagnostics.csv",
                                     "snapshots/000000.vtkhdf",
                                     "snapshots/ranks/000000-1.h5",
                                     "snapshots/000001.vtkhdf.tmp",
                                     "snapshots/snapshots.xmf",
                                     "snapshots/snapshots.vtkhdf.series",
                                     "checkpoints/000002.h5",
                                     "checkpoints/ranks/000002-0.h5",
                                     "parts/middle/000000.vtkhdf",
                                     "parts/middle/ranks/000000-12.h5.tmp",
                                     "parts/middle/snapshots.xmf",
                                     "pictures/density_000001.png",
                                     "pictures/density_y=0.5_000001.png",
                                     "pictures/velocity_x=middle_000001.svg",
                                     "pictures/density_000001.png.tmp",
                                     "pictures/curves.png",
                                     "parts/middle/pictures/density_000000.png",
                                     "live/slice_y.vtkhdf",
                                     "live/mean_x.vtkhdf.tmp"};
  const std::vector<std::string> foreign{
      "notes.txt",           "config.yaml.orig", "snapshots/mine.vtkhdf",        "pictures/holiday.png",
      "live/slice_w.vtkhdf", "other/run.json",   "checkpoints/damaged/000002.h5"};
  for (const auto& name : own) put(directory.path(name));
  for (const auto& name : foreign) put(directory.path(name));
  RunDirectory(directory.path()).create(ExistingResults::replace);
  for (const auto& name : own) EXPECT_FALSE(fs::exists(directory.path(name))) << name;
  for (const auto& name : foreign) EXPECT_TRUE(fs::exists(directory.path(name))) << name;
}

TEST(RunDirectory, IsClearedOfFoldersThatHeldNothingButEarlierResults) {
  const TemporaryDirectory directory;
  for (const char* name : {"parts/old/ranks/000000-1.h5", "parts/old/pictures/density_000000.png",
                           "parts/kept/000000.vtkhdf", "parts/kept/notes.txt",
                           "checkpoints/ranks/000002-0.h5", "pictures/curves.png", "live/slice_y.vtkhdf"})
    put(directory.path(name));
  fs::create_directories(directory.path("parts/empty"));
  fs::create_directories(directory.path("mine"));
  RunDirectory(directory.path()).create(ExistingResults::replace);
  for (const char* name : {"parts/old", "parts/empty", "checkpoints", "pictures", "live"})
    EXPECT_FALSE(fs::exists(directory.path(name))) << name;
  for (const char* name : {"parts/kept/notes.txt", "mine", "snapshots"})
    EXPECT_TRUE(fs::exists(directory.path(name))) << name;
}

TEST(RunDirectory, IsClearedOfEarlierResultsBehindLinksWhichStay) {
  const TemporaryDirectory directory;
  for (const char* name : {"snapshots", "checkpoints", "parts/wall", "live"}) {
    const std::string elsewhere = directory.path(std::string("disk/") + name);
    fs::create_directories(elsewhere);
    fs::create_directories(fs::path(directory.path(name)).parent_path());
    fs::create_symlink(elsewhere, directory.path(name));
  }
  put(directory.path("pictures"));  // a file of the user's
  put(directory.path("checkpoints/notes.txt"));
  put(directory.path("checkpoints/000002.h5"));
  RunDirectory(directory.path()).create(ExistingResults::replace);
  EXPECT_FALSE(fs::exists(directory.path("disk/checkpoints/000002.h5")));
  for (const char* name : {"snapshots", "checkpoints", "parts/wall", "live"})
    EXPECT_TRUE(fs::is_symlink(directory.path(name))) << name;
  for (const char* name : {"pictures", "checkpoints/notes.txt"})
    EXPECT_TRUE(fs::exists(directory.path(name))) << name;
}

void expect_cut_back(const TemporaryDirectory& directory) {
  const std::vector<std::string> kept{"config.yaml",
                                      "timings.csv",
                                      "notes.txt",
                                      "snapshots/000001.vtkhdf",
                                      "checkpoints/000020.h5",
                                      "checkpoints/000025.h5",
                                      "checkpoints/ranks/000025-1.h5",
                                      "parts/middle/000002.vtkhdf",
                                      "pictures/density_y=0.5_000001.png",
                                      "pictures/velocity_x=middle_000001.svg",
                                      "pictures/curves.png",
                                      "parts/middle/pictures/density_000002.png",
                                      "snapshots/mine.vtkhdf"};
  const std::vector<std::string> later{"snapshots/000002.vtkhdf",
                                       "snapshots/000001.vtkhdf.tmp",
                                       "checkpoints/000021.h5",
                                       "parts/middle/000003.vtkhdf",
                                       "parts/new/000000.vtkhdf",
                                       "run.json.tmp",
                                       "pictures/density_y=0.5_000002.png",
                                       "pictures/velocity_x=middle_000002.svg",
                                       "parts/middle/pictures/density_000003.png",
                                       "live/slice_y.vtkhdf",
                                       "snapshots/snapshots.xmf",
                                       "snapshots/snapshots.vtkhdf.series"};
  for (const auto& name : kept) put(directory.path(name));
  for (const auto& name : later) put(directory.path(name));
  RunDirectory(directory.path()).cut_back({{"snapshots", 2}, {"parts/middle", 3}}, 20, {25});
  for (const auto& name : kept) EXPECT_TRUE(fs::exists(directory.path(name))) << name;
  for (const auto& name : later) EXPECT_FALSE(fs::exists(directory.path(name))) << name;
}

TEST(RunDirectory, IsCutBackToWhatACheckpointKnows) { expect_cut_back(TemporaryDirectory()); }

TEST(RunDirectory, WhoseFoldersAreLinksIsCutBackAsAnyOther) {
  const TemporaryDirectory directory, disk;
  fs::create_directory(directory.path("parts"));
  for (const char* name : {"snapshots", "checkpoints", "parts/middle", "parts/new", "pictures", "live"}) {
    const std::string elsewhere = disk.path("of_" + fs::path(name).filename().string());
    fs::create_directory(elsewhere);
    fs::create_symlink(elsewhere, directory.path(name));
  }
  expect_cut_back(directory);
}

TEST(RunDirectory, CannotLieUnderAFile) {
  const TemporaryDirectory directory;
  put(directory.path("file"));
  EXPECT_THAT(refusal(RunDirectory(directory.path("file")), ExistingResults::replace),
              HasSubstr("is a file"));
  EXPECT_THAT(refusal(RunDirectory(directory.path("file/run")), ExistingResults::replace),
              HasSubstr("is a file"));
}

TEST(RunDirectory, CannotLieBehindALinkThatLeadsToNoFolder) {
  const TemporaryDirectory directory;
  fs::create_symlink("circle", directory.path("circle"));
  fs::create_symlink("missing", directory.path("dangling"));
  fs::create_directories(directory.path("run"));
  fs::create_symlink("../dangling", directory.path("run/checkpoints"));
  fs::create_symlink("run", directory.path("led"));
  for (const auto& [path, link, where] :
       {std::tuple("circle", "circle", "in a circle"), std::tuple("dangling/run", "dangling", "nowhere"),
        std::tuple("dangling/../run", "dangling", "nowhere"), std::tuple("run", "run/checkpoints", "nowhere"),
        std::tuple("led", "led/checkpoints", "nowhere")})
    EXPECT_THAT(refusal(RunDirectory(directory.path(path)), ExistingResults::refuse),
                HasSubstr("(" + directory.path(link) + " is a link that leads " + where + ")"));
  EXPECT_THAT(refusal([&] { RunDirectory(directory.path("run")).create(ExistingResults::replace); }),
              HasSubstr("nowhere"));
  EXPECT_EQ(refusal(RunDirectory(directory.path("run")), ExistingResults::replace), "")
      << "a run that goes on says itself what it lacks";
  fs::remove(directory.path("run/checkpoints"));
  const RunDirectory led(directory.path("led"));
  EXPECT_NO_THROW(led.create(ExistingResults::refuse));
  fs::create_symlink("nowhere", led.folder("parts"));
  EXPECT_THAT(refusal([&] { led.add_folder("parts/wall"); }),
              HasSubstr("parts is a link that leads nowhere"));
}

TEST(RunDirectory, ThatCannotBeMadeIsABadInput) {
  EXPECT_THAT(refusal([] { RunDirectory("/proc/tayra/run").create(ExistingResults::replace); }),
              AllOf(HasSubstr("/proc"), HasSubstr("choose another")));
}

}  // namespace
}  // namespace tayra
