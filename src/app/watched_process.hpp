// A command that is run to its end, with all that it starts.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tayra {

struct WatchedEnd {
  int code;           // as shells have it: 128 + the signal that killed it
  std::string asked;  // the signal that this process got meanwhile and passed on; empty: none
};

/// Seconds from when a command is over for how long it may go on, and how long it has to end when asked to.
struct Grace {
  double to_wind_up, to_end;
};

/// Passes SIGTERM, SIGUSR1, SIGINT and SIGHUP on. What the command leaves behind is killed: it might go on
/// writing. Once `is_over` has been true for some time the command is asked to end (SIGTERM: a launcher tells
/// the other nodes, too) and killed if it doesn't: it may wait for ever for a node that is gone. Throws
/// Error(bad_input) when there is no such program.
WatchedEnd run_watched(const std::vector<std::string>& words, const std::function<bool()>& is_over,
                       const Grace& grace);

}  // namespace tayra
