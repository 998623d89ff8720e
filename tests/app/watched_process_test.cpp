// What a command leaves behind is found and killed, also where Linux keeps no list of children.
#include "app/watched_process.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>

#include "app/tayra_process.hpp"

namespace tayra {
namespace {

using testing::UnorderedElementsAre;

TEST(WatchedProcess, ChildrenAreFoundWhateverTheyAreCalled) {
  const TemporaryDirectory processes;
  const auto add = [&](const std::string& name, const std::string& stat) {
    std::filesystem::create_directory(processes.path(name));
    write_file(processes.path(name + "/stat"), stat);
  };
  add("1", "1 (init) S 0 1 1 0");
  add("20", "20 (tayra) S 1 20 20 0");
  add("21", "21 (a) R 1 (b) R 20 21 21 0");
  add("22", "22 (two\nlines) Z 20 22 22 0");
  add("201", "201 (20) S 21 20 20 0");
  add("self", "20 (tayra) S 20 20 20 0");
  // Ended before its file is opened, and while that is read.
  std::filesystem::create_directory(processes.path("23"));
  std::filesystem::create_directories(processes.path("24/stat"));
  EXPECT_THAT(children_of(20, processes.path("")), UnorderedElementsAre(21, 22));
}

TEST(WatchedProcess, WhatACommandLeavesBehindIsGoneWhenItHasEnded) {
  const TemporaryDirectory folder;
  const std::string command = "(setsid sh -c 'sleep 30; touch " + folder.path("late") + "' &) & exit 7";
  const auto start = std::chrono::steady_clock::now();
  const WatchedEnd end = run_watched({"sh", "-c", command}, [] { return false; }, {1, 1});
  EXPECT_EQ(end.code, 7);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_FALSE(std::filesystem::exists(folder.path("late")));
  EXPECT_TRUE(children_of(getpid()).empty());
}

// As mpirun does when a node is gone.
TEST(WatchedProcess, ThatGoesOnAfterItIsOverIsAskedToEndAndThenKilled) {
  const TemporaryDirectory folder;
  const std::string asked = folder.path("asked");
  const WatchedEnd end =
      run_watched({"sh", "-c", "trap 'touch " + asked + "' TERM; while :; do sleep 0.1; done"},
                  [] { return true; }, {1, 1});
  EXPECT_EQ(end.code, 128 + SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(asked));
}

TEST(WatchedProcess, ThatIsUnderWayIsLeftAlone) {
  const WatchedEnd end = run_watched({"sh", "-c", "sleep 3; exit 7"}, [] { return false; }, {0.5, 0.5});
  EXPECT_EQ(end.code, 7);
}

}  // namespace
}  // namespace tayra
