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

/// Passes SIGTERM, SIGUSR1 and SIGINT on. What the command leaves behind is killed: it might go on writing.
/// Once `is_over` has been true for `grace` seconds the command is killed, too: a launcher may wait for ever
/// for a node that is gone. Throws Error(bad_input) when there is no such program.
WatchedEnd run_watched(const std::vector<std::string>& words, const std::function<bool()>& is_over,
                       double grace);

}  // namespace tayra
