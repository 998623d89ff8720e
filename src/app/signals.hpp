// Ctrl-C and SIGTERM as a request to stop.
#pragma once

#include <string>

namespace tayra {

/// From now on a first SIGINT or SIGTERM is only noted; a second one of its kind ends the process at once.
void note_stop_signals();

/// "SIGINT" or "SIGTERM", empty while none has come.
std::string stop_signal();

}  // namespace tayra
