// How work on a slab's GPU finds out that its neighbours' planes have arrived: by counters in that GPU's
// memory.
#pragma once

#include <cstdint>

#include "halo/edge.hpp"

namespace tayra {

/// Of a slab, in its GPU's memory, by its edge with a neighbour beyond it; a lane handles each.
struct PeerSignals {
  std::uint64_t arrived[edges] = {};    // exchanges that have arrived here; raised by the neighbour
  std::uint64_t signalled[edges] = {};  // exchanges that this slab has signalled
};

/// What a slab waits for: its neighbours' planes of the exchange that it signalled last.
struct AwaitedGhosts {
  PeerSignals* signals = nullptr;  // null: nobody is waited for
  bool from_side[edges] = {};      // whether there is a neighbour beyond an edge
};

}  // namespace tayra
