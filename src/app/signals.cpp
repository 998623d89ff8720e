// A handler that only takes a note.
#include "app/signals.hpp"

#include <csignal>

namespace tayra {
namespace {

volatile std::sig_atomic_t noted_signal = 0;

void note(int signal) { noted_signal = signal; }

}  // namespace

void note_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

std::string stop_signal() {
  if (noted_signal == 0) return "";
  return noted_signal == SIGINT ? "SIGINT" : "SIGTERM";
}

}  // namespace tayra
