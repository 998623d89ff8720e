// A handler that takes a note; asked a second time it says that the end is on its way.
#include "app/signals.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <string_view>

#include "grid/ranks.hpp"

namespace tayra {
namespace {

struct StopSignal {
  int number;
  const char* name;
};
constexpr StopSignal stop_signals[]{
    {SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}, {SIGHUP, "SIGHUP"}};

volatile std::sig_atomic_t noted_signal = 0;
volatile std::sig_atomic_t times_sent[NSIG] = {};
volatile std::sig_atomic_t is_first_rank = 1;

constexpr std::string_view under_way =
    "tayra: the run is ending already, with a checkpoint if it keeps any: a third signal kills it before "
    "that is "
    "written\n";

/// A hangup is never meant to kill.
void note(int signal) {
  noted_signal = signal;
  if (signal == SIGHUP) return;
  times_sent[signal] = times_sent[signal] + 1;
  if (times_sent[signal] < 2) return;
  std::signal(signal, SIG_DFL);
  const int before = errno;
  if (is_first_rank) static_cast<void>(write(STDERR_FILENO, under_way.data(), under_way.size()) == 0);
  errno = before;
}

bool ignored_hangups = false;

// An entry that the loader calls before it sets any library up.
void look_at_hangups() { ignored_hangups = is_ignored(SIGHUP); }
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)() = look_at_hangups;

}  // namespace

void go_on_ignoring_hangups() {
  if (ignored_hangups) std::signal(SIGHUP, SIG_IGN);
}

bool is_ignored(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

void note_stop_signals() {
  is_first_rank = ranks().is_first();
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  // A limit on the size of files and a reader who has left are errors like a full disk.
  for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
  for (const auto& signal : stop_signals) {
    if (signal.number == SIGHUP && is_ignored(SIGHUP)) continue;
    sigaction(signal.number, &action, nullptr);
  }
}

int noted_stop_signal() { return noted_signal; }

std::string name_of_stop_signal(int signal) {
  const auto is_it = [=](const StopSignal& one) { return one.number == signal; };
  return std::find_if(std::begin(stop_signals), std::end(stop_signals), is_it)->name;
}

}  // namespace tayra
