// A handler that only takes a note.
#include "app/signals.hpp"

#include <algorithm>
#include <csignal>

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

void note(int signal) { noted_signal = signal; }

}  // namespace

bool is_ignored(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

void note_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note;
  // A limit on the size of files and a reader who has left are errors like a full disk.
  for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
  for (const auto& signal : stop_signals) {
    const bool is_hangup = signal.number == SIGHUP;
    if (is_hangup && is_ignored(SIGHUP)) continue;
    action.sa_flags = (is_hangup ? 0 : static_cast<int>(SA_RESETHAND)) | SA_RESTART;
    sigaction(signal.number, &action, nullptr);
  }
}

std::string signal_of_any_rank() {
  const auto of_ranks = ranks().gather_values(static_cast<int>(noted_signal));
  for (const auto& signal : stop_signals)
    if (std::find(of_ranks.begin(), of_ranks.end(), signal.number) != of_ranks.end()) return signal.name;
  return "";
}

}  // namespace tayra
