// How work on a slab's GPU finds out that its neighbours' planes have landed: by counters in that GPU's
// memory.
#pragma once

#include <cstdint>

namespace tayra {

/// Of a slab, in its GPU's memory. [0]: the neighbour below, [1]: the one above; a lane handles each.
struct PeerSignals {
  std::uint64_t landed[2] = {0, 0};     // exchanges that have landed here; raised by the neighbour
  std::uint64_t announced[2] = {0, 0};  // exchanges that this slab has announced
  int given_up = 0;                     // a wait took too long: no later one waits
};

/// What a slab waits for: its neighbours' planes of the exchange that it announced last.
struct AwaitedPlanes {
  PeerSignals* signals = nullptr;  // null: nobody is waited for
  int ranks[2] = {-1, -1};         // of the neighbours below and above; negative: nobody
  std::uint64_t patience = 0;      // in nanoseconds
  int* lost_rank = nullptr;        // pinned: one more than the rank, or zero
};

}  // namespace tayra
