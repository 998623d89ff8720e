// Memory of neighbouring slabs as this process's GPUs can address it, and the notice that something has
// arrived there. The notice is an event, where both slabs are this process's; or else a counter in the
// receiver's memory that the sender raises and the receiver awaits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halo/awaited_ghosts.hpp"
#include "halo/shared_blocks.hpp"
#include "halo/transport.hpp"

namespace tayra {

/// How slabs of one process tell each other. An event costs no work on the GPUs, but microseconds between two
/// of them; a counter wants a GPU for each slab, so that no wait holds up what it waits for.
enum class ArrivalNotice { event, counter };
ArrivalNotice quickest_notice(const HaloSite& site);

/// In the memory of the neighbours beyond each edge; null where there is none.
struct RaisedCounters {
  std::uint64_t* of_side[edges] = {};
};

class Peers {
 public:
  /// All ranks must construct it together, and it fails on all when one can't reach a neighbour's memory.
  /// Keeps a reference to the site.
  Peers(const HaloSite& site, ArrivalNotice notice);
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  /// Where a move that starts here ends: an address that the source's GPU can copy or store to.
  std::byte* destination(const Move& move, int field) const;

  /// After what is enqueued on the queues of this process's slabs, their edges of the field have arrived.
  void signal(int field) const;
  /// What follows on the queues of this process's slabs may read the ghosts of the field.
  void await(int field) const;
  /// Both, where counters do in one kernel: for what is exchanged without a sweep.
  void signal_and_await(int field) const;
  /// Instead, if counters alone give notice: what a kernel of the slab has to wait for by itself.
  AwaitedGhosts awaited_by(int slab) const;

 private:
  /// A slab of this process and what lies between it and its neighbours.
  struct Counters {
    Buffer<PeerSignals> signals;
    RaisedCounters raised;
    AwaitedGhosts awaited;
    bool in_use = false;
  };

  void make_counters();
  void connect_counters();
  bool by_event(const Move& move) const;
  template <class Kernel, class... Arguments>
  void launch(Kernel kernel, std::size_t slab_here, const char* doing, const Arguments&... arguments) const;

  const HaloSite& site_;
  ArrivalNotice notice_;
  std::vector<FieldEvents> arrived_;  // by slab of this process
  std::vector<Counters> counters_;
  std::vector<SharedBlocks> fields_;  // by field
  std::optional<SharedBlocks> signals_;
};

}  // namespace tayra
