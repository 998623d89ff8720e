// How work on a slab's GPU finds out that its neighbours' planes have arrived: by counters in that GPU's
// memory.
#pragma once

#include <cstdint>

namespace tayra {

/// Of a slab, in its GPU's memory. [0]: the neighbour below, [1]: the one above; a lane handles each.
struct PeerSignals {
  std::uint64_t arrived[2] = {0, 0};    // exchanges that have arrived here; raised by the neighbour
  std::uint64_t signalled[2] = {0, 0};  // exchanges that this slab has signalled
};

/// What a slab waits for: its neighbours' planes of the exchange that it signalled last.
struct AwaitedGhosts {
  PeerSignals* signals = nullptr;      // null: nobody is waited for
  bool from_side[2] = {false, false};  // whether there is a neighbour below, above
};

}  // namespace tayra
