// Tests that one run at a time has a directory.
#include "io/run_lock.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/error.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using namespace std::chrono_literals;

TEST(RunLock, KeepsOthersOutUntilItGoes) {
  const TemporaryDirectory folder;
  const std::string directory = folder.path("run");
  {
    const RunLock held(directory);
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

TEST(RunLock, GoesWithAProcessThatIsKilled) {
  const TemporaryDirectory folder;
  const std::string directory = folder.path("run");
  const pid_t child = fork();
  if (child == 0) {
    const RunLock held(directory);
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(RunLock(directory, 0ms));
}

}  // namespace
}  // namespace tayra
