// Signals are waited for rather than handled, so that none gets lost between two looks.
#include "app/watched_process.hpp"

#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "app/signals.hpp"
#include "core/error.hpp"

extern char** environ;

namespace tayra {
namespace {

using WallClock = std::chrono::steady_clock;

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM, SIGUSR1, SIGINT}) sigaddset(&set, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  return set;
}

/// Blocks the signals for as long as they are waited for.
class HeldSignals {
 public:
  HeldSignals() {
    const sigset_t set = watched_signals();
    sigprocmask(SIG_BLOCK, &set, &before_);
  }
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

pid_t start(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = 0;
  const int problem = posix_spawnp(&process, pointers[0], nullptr, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  require(problem == 0, ExitCode::bad_input, words[0] + " can't be started (" + std::strerror(problem) + ")");
  return process;
}

/// Reaps orphans, too, which fall to this process.
bool has_ended(pid_t process, int& status) {
  int one = 0;
  for (pid_t ended; (ended = waitpid(-1, &one, WNOHANG)) > 0;)
    if (ended == process) {
      status = one;
      return true;
    }
  return false;
}

/// Zero if it has gone meanwhile.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream status(process / "status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("PPid:")) return std::stoi(line.substr(5));
  return 0;
}

/// Linux's own list of children is there only with CONFIG_PROC_CHILDREN.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    const bool is_process = name.find_first_not_of("0123456789") == std::string::npos;
    if (is_process && parent_of(entry.path()) == getpid()) found.push_back(std::stoi(name));
  }
  return found;
}

void kill_what_is_left() {
  do {
    for (const pid_t child : children()) kill(child, SIGKILL);
  } while (waitpid(-1, nullptr, 0) > 0 || errno != ECHILD);
}

}  // namespace

WatchedEnd run_watched(const std::vector<std::string>& words, const std::function<bool()>& is_over,
                       const Grace& grace) {
  const HeldSignals held;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t process = start(words);
  const sigset_t signals = watched_signals();
  WatchedEnd end{};
  int status = 0;
  constexpr timespec between_looks{.tv_sec = 1, .tv_nsec = 0};
  auto last_under_way = WallClock::now();
  while (!has_ended(process, status)) {
    if (!is_over()) last_under_way = WallClock::now();
    const std::chrono::duration<double> overdue = WallClock::now() - last_under_way;
    if (overdue.count() > grace.to_wind_up)
      kill(process, overdue.count() > grace.to_wind_up + grace.to_end ? SIGKILL : SIGTERM);
    siginfo_t got;
    const int signal = sigtimedwait(&signals, &got, &between_looks);
    if (signal <= 0 || signal == SIGCHLD) continue;
    end.asked = name_of_stop_signal(signal);
    // What the terminal sends, it sends to the command, too.
    if (got.si_code != SI_KERNEL) kill(process, signal);
  }
  kill_what_is_left();
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace tayra
