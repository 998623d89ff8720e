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
#include <sstream>

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

/// From `PID (name) state parent ...`, where a name may hold anything. 0 if the process has gone meanwhile.
pid_t parent_in(const std::filesystem::path& stat) {
  std::ifstream file(stat);
  std::string text;
  std::getline(file, text, '\0');
  std::istringstream after_name(text.substr(text.rfind(')') + 1));
  char state = 0;
  pid_t parent = 0;
  after_name >> state >> parent;
  return parent;
}

void kill_what_is_left() {
  for (;;) {
    for (const pid_t child : children_of(getpid())) kill(child, SIGKILL);
    if (waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
  }
}

void end_overdue(pid_t process, double seconds, const Grace& grace) {
  if (seconds > grace.to_wind_up + grace.to_end)
    kill(process, SIGKILL);
  else if (seconds > grace.to_wind_up)
    kill(process, SIGTERM);
}

const char* name_of_signal(int signal) {
  return signal == SIGTERM   ? "SIGTERM"
         : signal == SIGUSR1 ? "SIGUSR1"
         : signal == SIGHUP  ? "SIGHUP"
                             : "SIGINT";
}

}  // namespace

// Linux's own list of children is there only with CONFIG_PROC_CHILDREN.
std::vector<pid_t> children_of(pid_t parent, const std::string& processes) {
  std::vector<pid_t> found;
  std::error_code problem;
  std::filesystem::directory_iterator entry(processes, problem);
  for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    const bool is_process = name.find_first_not_of("0123456789") == std::string::npos;
    if (is_process && parent_in(entry->path() / "stat") == parent) found.push_back(std::stoi(name));
  }
  return found;
}

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
    end_overdue(process, std::chrono::duration<double>(WallClock::now() - last_under_way).count(), grace);
    siginfo_t got;
    const int signal = sigtimedwait(&signals, &got, &between_looks);
    if (signal <= 0 || signal == SIGCHLD) continue;
    end.asked = name_of_signal(signal);
    // What the terminal sends, it sends to the command, too.
    if (got.si_code != SI_KERNEL) kill(process, signal);
  }
  kill_what_is_left();
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace tayra
