// What a command leaves behind is found and killed.
#include "app/watched_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "app/tayra_process.hpp"

namespace tayra {
namespace {

TEST(WatchedProcess, WhatACommandLeavesBehindIsGoneWhenItHasEnded) {
  const TemporaryDirectory folder;
  const std::string command = "(setsid sh -c 'sleep 30; touch " + folder.path("late") + "' &) & exit 7";
  const auto start = std::chrono::steady_clock::now();
  const WatchedEnd end = run_watched({"sh", "-c", command}, [] { return false; }, {1, 1});
  EXPECT_EQ(end.code, 7);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_FALSE(std::filesystem::exists(folder.path("late")));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
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
