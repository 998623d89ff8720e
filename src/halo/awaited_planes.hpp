// How work on a slab's GPU finds out that its neighbours' planes have landed: by counters in that GPU's
// memory.
#pragma once

#include <cstdint>

namespace tayra {

/// Of a slab, in the memory of its GPU; for the neighbour below and for that above, each a lane's.
struct PeerSignals {
  std::uint64_t landed[2] = {0, 0};     // exchanges that have come; raised by the neighbour
  std::uint64_t announced[2] = {0, 0};  // exchanges that this slab has told of
  int given_up = 0;                     // a wait took too long: no later one waits
};

/// The planes of the last exchange that the slab itself has told of.
struct AwaitedPlanes {
  PeerSignals* signals = nullptr;  // null: nobody is waited for
  int ranks[2] = {-1, -1};         // of the neighbours below and above; negative: nobody
  std::uint64_t patience = 0;
  int* lost_rank = nullptr;  // pinned: one more than the rank, or zero
};

}  // namespace tayra
