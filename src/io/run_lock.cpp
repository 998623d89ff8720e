// A lock on the directory itself: it leaves no file behind, and the system lets go of it with the process.
#include "io/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "core/error.hpp"
#include "io/run_directory.hpp"

namespace tayra {

RunLock::RunLock(const std::string& directory, std::chrono::milliseconds patience)
    : path_(directory), is_new_(!std::filesystem::exists(directory)) {
  RunDirectory(directory).make();
  directory_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory_ < 0) return;
  constexpr std::chrono::milliseconds pause(50);
  for (const auto start = std::chrono::steady_clock::now();
       ::flock(directory_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
       std::this_thread::sleep_for(pause)) {
    if (std::chrono::steady_clock::now() - start < patience) continue;
    ::close(directory_);
    throw Error(ExitCode::bad_input,
                directory +
                    " belongs to a run that is still under way: wait for its end, stop it, or choose "
                    "another directory with --output");
  }
}

RunLock::~RunLock() {
  if (is_new_) ::rmdir(path_.c_str());  // which leaves alone what holds something
  if (directory_ >= 0) ::close(directory_);
}

}  // namespace tayra
