// Halo backend `direct`: the sweep stores its boundary planes into the neighbours' ghosts as it computes
// them. What is left to do is to say so.
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

class DirectTransport final : public Transport {
 public:
  explicit DirectTransport(HaloSite site)
      : Transport(std::move(site)), notice_(quickest_notice(site_)), peers_(site_, notice_) {}

  void start_moves(int field) override { peers_.signal(field); }
  void finish_moves(int field) override { peers_.await(field); }
  PeerGhosts peer_ghosts(int slab, int field) const override {
    PeerGhosts ghosts;
    for (const Move& move : site_.plan.moves)
      if (move.source_slab == slab)
        (move.edge == Edge::lower ? ghosts.below : ghosts.above) = peers_.destination(move, field);
    if (notice_ == ArrivalNotice::counter) ghosts.awaited = peers_.awaited_by(slab);
    return ghosts;
  }
  TransportTraits traits() const override {
    return {.recordable = true, .ties_queues = notice_ == ArrivalNotice::event, .sweeps_store = true};
  }

 private:
  ArrivalNotice notice_;
  Peers peers_;
};

}  // namespace

std::unique_ptr<Transport> make_direct_transport(HaloSite site) {
  return std::make_unique<DirectTransport>(std::move(site));
}

std::string direct_lacks(const HaloPlace& place) {
  const std::string out_of_reach = no_peer_access(place, Partners::neighbours);
  return place.side_by_side > 1
             ? "sweeps store whole planes alone, and the box is cut along y (run.cut_y), too"
             : out_of_reach;
}

}  // namespace tayra
