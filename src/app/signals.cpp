// A handler that only takes a note.
#include "app/signals.hpp"

#include <csignal>

namespace tayra {
namespace {

struct StopSignal {
  int number;
  const char* name;
};
constexpr StopSignal stop_signals[]{{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}};

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) { noted_signal = signal; }

}  // namespace

void note_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  // A limit on the size of files and a reader who has left are errors like a full disk.
  for (const int signal : {SIGXFSZ, SIGPIPE}) std::signal(signal, SIG_IGN);
  for (const auto& signal : stop_signals) sigaction(signal.number, &action, nullptr);
}

std::string stop_signal() {
  for (const auto& signal : stop_signals)
    if (signal.number == noted_signal) return signal.name;
  return "";
}

}  // namespace tayra
