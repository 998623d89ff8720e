// A lock on the directory itself: it leaves no file behind, and the system lets go of it with the process.
#include "io/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "io/run_directory.hpp"

namespace tayra {
namespace {

/// Whoever only asks shares the lock for an instant.
bool belongs_to_a_run(int directory) {
  if (::flock(directory, LOCK_SH | LOCK_NB) != 0) return errno == EWOULDBLOCK;
  ::flock(directory, LOCK_UN);
  return false;
}

[[noreturn]] void refuse(const std::string& directory) {
  throw Error(ExitCode::bad_input,
              directory +
                  " belongs to a run that is still under way: wait for its end, stop it, or choose another "
                  "directory with --output");
}

}  // namespace

void require_not_under_way(const std::string& directory) {
  const Descriptor asked(directory, O_RDONLY | O_DIRECTORY);
  if (asked.id() >= 0 && belongs_to_a_run(asked.id())) refuse(std::filesystem::absolute(directory).string());
}

RunLock::RunLock(const std::string& directory, std::chrono::milliseconds timeout,
                 const std::function<void()>& say_waiting)
    : path_(std::filesystem::absolute(directory)) {
  if (!path_.has_filename()) path_ = path_.parent_path();  // a slash at its end
  existing_ = path_;
  std::error_code hidden;
  while (!std::filesystem::exists(existing_, hidden)) existing_ = existing_.parent_path();
  const auto until = std::chrono::steady_clock::now() + timeout;
  bool has_said = false;
  const auto say_once = [&] {
    if (!std::exchange(has_said, true)) say_waiting();
  };
  take(until, say_once);
  // Another that held it may have taken it away meanwhile; some file systems give a directory another number
  // each time: it is not looked for without end.
  for (int tries = 0; tries < 3 && !directory_.is_at(path_); ++tries) take(until, say_once);
}

void RunLock::take(std::chrono::steady_clock::time_point until, const std::function<void()>& say_waiting) {
  RunDirectory(path_.string()).make();
  directory_ = Descriptor(path_, O_RDONLY | O_DIRECTORY);
  constexpr std::chrono::milliseconds pause(50), askers_take(1000);
  for (; directory_.id() >= 0 && ::flock(directory_.id(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
       std::this_thread::sleep_for(pause)) {
    const bool has_run = belongs_to_a_run(directory_.id());
    if (std::chrono::steady_clock::now() >= (has_run ? until : until + askers_take)) refuse(path_.string());
    if (has_run) say_waiting();
  }
}

RunLock::~RunLock() {
  // What holds something stays, and so does another's that has come to its place.
  if (!directory_.is_at(path_)) existing_ = path_;
  for (auto made = path_; made != existing_ && ::rmdir(made.c_str()) == 0;) made = made.parent_path();
}

}  // namespace tayra
