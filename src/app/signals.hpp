// Ctrl-C, SIGTERM and SIGUSR1 (what Slurm can send before the time is up) as a request to stop.
#pragma once

#include <string>

namespace tayra {

/// From now on the first signal of each kind is only noted; a second one of its kind ends the process at
/// once.
void note_stop_signals();

/// "SIGINT", "SIGTERM" or "SIGUSR1"; empty while none has come.
std::string stop_signal();

}  // namespace tayra
