// Ctrl-C, SIGTERM, SIGUSR1 (what Slurm can send before the time is up) and SIGHUP (a terminal that closes) as
// a request to stop.
#pragma once

#include <string>

namespace tayra {

/// From now on the first signal of each kind is only noted; the second makes the first rank say that the end
/// is on its way; a third one of its kind ends the process at once. But SIGHUP may come from the terminal and
/// from its shell: it is noted each time, and under nohup never.
void note_stop_signals();

/// The last that came to this process; 0 while none has come.
int noted_stop_signal();
/// "SIGINT", "SIGTERM", "SIGUSR1" or "SIGHUP".
std::string name_of_stop_signal(int signal);

/// As SIGHUP is under nohup.
bool is_ignored(int signal);

/// Under nohup. Libraries may have handled SIGHUP since: UCX does so when it is loaded, as by Open MPI 5.
void go_on_ignoring_hangups();

}  // namespace tayra
