// Tests that one run at a time has a directory.
#include "io/run_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <thread>

#include "core/error.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using namespace std::chrono_literals;

TEST(RunLock, KeepsOthersOutUntilItGoes) {
  const TemporaryDirectory folder;
  const std::string directory = folder.path("run");
  {
    const RunLock held(directory, 0ms);
    try {
      const RunLock other(directory, 0ms);
      ADD_FAILURE() << "two runs have it";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      EXPECT_THAT(error.what(), testing::HasSubstr("run belongs to a run that is still under way"));
    }
  }
  EXPECT_NO_THROW(RunLock(directory, 0ms));
}

/// Shares the lock, as who only asks for it does.
int asker(const std::string& directory) {
  const int asked = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_EQ(flock(asked, LOCK_SH | LOCK_NB), 0);
  return asked;
}

TEST(RunLock, IsToldToWhoOnlyAsks) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder.path("run"));
  const int other = asker(folder.path("run"));
  EXPECT_NO_THROW(require_not_under_way(folder.path("run"))) << "another asks, too";
  EXPECT_NO_THROW(require_not_under_way(folder.path("none")));
  close(other);
  const RunLock held(folder.path("run"), 0ms);
  try {
    require_not_under_way(folder.path("run"));
    ADD_FAILURE() << "it is held";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_THAT(error.what(), testing::HasSubstr("run belongs to a run that is still under way"));
  }
}

TEST(RunLock, IsNotRefusedBecauseSomebodyOnlyAsks) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder.path("run"));
  const int other = asker(folder.path("run"));
  std::atomic<bool> has_said = false;
  auto taken = std::async(std::launch::async,
                          [&] { const RunLock lock(folder.path("run"), 0ms, [&] { has_said = true; }); });
  EXPECT_EQ(taken.wait_for(100ms), std::future_status::timeout);
  close(other);
  EXPECT_NO_THROW(taken.get());
  EXPECT_FALSE(has_said) << "there is no run to wait for";
}

TEST(RunLock, LeavesNoEmptyDirectoryOfItsOwn) {
  const TemporaryDirectory folder;
  const std::string directory = folder.path("run");
  { const RunLock held(directory + "/one/in/another/", 0ms); }
  EXPECT_FALSE(std::filesystem::exists(directory)) << "made for a run that was refused";
  std::filesystem::create_directory(directory);
  { const RunLock held(directory, 0ms); }
  EXPECT_TRUE(std::filesystem::exists(directory)) << "was there before";
  std::filesystem::remove(directory);
  {
    const RunLock held(directory, 0ms);
    std::filesystem::create_directory(directory + "/checkpoints");
  }
  EXPECT_TRUE(std::filesystem::exists(directory)) << "holds something";
}

TEST(RunLock, ThatWasWaitedForIsOfTheDirectoryThatIsThereThen) {
  const TemporaryDirectory folder;
  const std::string directory = folder.path("run");
  auto first = std::make_unique<RunLock>(directory, 0ms);
  std::atomic<bool> waits = false;
  auto second = std::async(std::launch::async,
                           [&] { return std::make_unique<RunLock>(directory, 10s, [&] { waits = true; }); });
  while (!waits && second.wait_for(5ms) != std::future_status::ready) {
  }
  ASSERT_TRUE(waits);
  first.reset();
  const auto held = second.get();
  EXPECT_TRUE(std::filesystem::exists(directory)) << "the first one has removed its own";
  EXPECT_THROW(RunLock(directory, 0ms), Error);
}

TEST(RunLock, IsHadBehindALinkToAnotherPlace) {
  const TemporaryDirectory folder;
  std::filesystem::create_directories(folder.path("far/away"));
  std::filesystem::create_directory_symlink("far/away", folder.path("link"));
  const RunLock held(folder.path("link/../run"), 0ms);
  EXPECT_TRUE(std::filesystem::exists(folder.path("far/run")));
  EXPECT_THROW(RunLock(folder.path("far/run"), 0ms), Error);
}

TEST(RunLock, GoesWithAProcessThatIsKilled) {
  const TemporaryDirectory folder;
  const std::string directory = folder.path("run");
  int held[2];
  ASSERT_EQ(pipe(held), 0);
  const pid_t child = fork();
  if (child == 0) {
    try {
      const RunLock lock(directory, 0ms);
      if (write(held[1], "!", 1) == 1) pause();
    } catch (const Error&) {
    }
    _exit(1);
  }
  char word = 0;
  ASSERT_EQ(read(held[0], &word, 1), 1);
  EXPECT_THROW(RunLock(directory, 0ms), Error);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(RunLock(directory, 0ms));
}

}  // namespace
}  // namespace tayra
