// Halo backend `direct`: the sweep stores its boundary planes into the neighbours' ghosts as it computes
// them. What is left to do is to copy rows there, where the box is cut along y, and to say so.
#include "core/cuda_check.hpp"
#include "core/cuda_pieces.hpp"
#include "core/cuda_queue.hpp"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

class DirectTransport final : public Transport {
 public:
  explicit DirectTransport(const HaloSite& site)
      : Transport(site.without_blocks_of_rows()), notice_(quickest_notice(site_)), peers_(site_, notice_) {}

  void start_moves(int field) override {
    for (const Move& move : site_.plan.moves)
      if (is_of_rows(move.edge)) copy(move, field);
    peers_.signal(field);
  }
  void finish_moves(int field) override { peers_.await(field); }
  PeerGhosts peer_ghosts(int slab, int field) const override {
    PeerGhosts ghosts;
    for (const Move& move : site_.plan.moves)
      if (move.source_slab == slab && !is_of_rows(move.edge))
        (move.edge == Edge::lower ? ghosts.below : ghosts.above) = peers_.destination(move, field);
    if (notice_ == ArrivalNotice::counter) ghosts.awaited = peers_.awaited_by(slab);
    return ghosts;
  }
  TransportTraits traits() const override {
    return {.recordable = true, .ties_queues = notice_ == ArrivalNotice::event, .sweeps_store = true};
  }

 private:
  void copy_swept(int field) const override {
    for (const Move& move : site_.plan.moves)
      if (!is_of_rows(move.edge)) copy(move, field);
  }
  /// Rows by a kernel of the source's GPU, which reaches its peers: copy engines start later.
  void copy(const Move& move, int field) const {
    if (!site_.is_here(move.source_slab)) return;
    const Queue& queue = site_.queue(move.source_slab);
    std::byte* to = peers_.destination(move, field);
    const std::byte* from = site_.source(move, field);
    if (!is_of_rows(move.edge)) return queue.copy(to, from, move.bytes);
    const UseDevice use(queue.device().number);
    copy_pieces_by_kernel({to, move.destination_apart, from, move.source_apart, move.bytes, move.pieces},
                          stream_of(queue));
  }

  ArrivalNotice notice_;
  Peers peers_;
};

}  // namespace

std::unique_ptr<Transport> make_direct_transport(HaloSite site) {
  return std::make_unique<DirectTransport>(site);
}

std::string direct_lacks(const HaloPlace& place) { return no_peer_access(place, Partners::neighbours); }

}  // namespace tayra
