// Memory of neighbouring slabs as this process's GPUs can address it, and the word that something has landed
// there. Within a process both are plain: pointers and events. Across processes of a node, memory is opened
// by CUDA IPC, and a counter in the receiver's memory is raised by the sender and awaited by the receiver.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "halo/field_events.hpp"

namespace tayra {

/// Why a GPU of these slabs can't reach a neighbouring slab's memory, or "". All ranks must ask together.
std::string no_peer_access(const HaloPlace& place);

/// What a slab's neighbours in other processes tell it, in the memory of its GPU.
struct PeerSignals {
  std::uint64_t landed[2] = {0, 0};  // exchanges that have come from below, from above; raised from outside
  std::uint64_t announced = 0;       // exchanges that this slab has told its neighbours of
  std::uint64_t awaited = 0;
  int given_up = 0;  // a wait took too long: no later one waits
};

class Peers {
 public:
  /// All ranks must construct it together. Keeps a reference to the site.
  explicit Peers(const HaloSite& site);
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;

  /// Where a move that starts here ends: an address that the source's GPU can copy or store to.
  std::byte* destination(const Move& move, int field) const;

  /// After what is enqueued on the queues of this process's slabs, their edges of the field have landed.
  void announce(int field) const;
  /// What follows on the queues of this process's slabs may read the ghosts of the field.
  void await(int field) const;
  /// Throws when a queue has given up waiting.
  void check() const;

 private:
  /// A slab of this process and what it shares with those of others; pointers are null where it shares
  /// nothing.
  struct Post {
    Buffer<PeerSignals> signals;
    std::uint64_t* raise[2] = {nullptr, nullptr};  // counters of the neighbours below and above
    int awaited_ranks[2] = {-1, -1};               // of the neighbours below and above
    Buffer<int> lost_rank;                         // pinned: one more than the rank, or zero
    bool crosses = false;
  };
  struct RemoteSlab {
    std::array<std::byte*, rotating_fields> fields;
    PeerSignals* signals;
  };

  void make_posts();
  void open_neighbours();
  const RemoteSlab& remote(const Move& move) const;

  const HaloSite& site_;
  std::vector<FieldEvents> landed_;  // by slab of this process
  std::vector<Post> posts_;
  std::map<std::pair<int, int>, RemoteSlab> remote_;  // by GPU that reaches and slab that is reached
  std::vector<void*> opened_;
};

}  // namespace tayra
