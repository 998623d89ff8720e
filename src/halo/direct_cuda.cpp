// Halo backend `direct`: the sweep stores its edge planes into the neighbours' ghosts as it computes them.
// What is left to do is to say so. Planes that no sweep has written (the start, a restart) are copied.
#include "halo/backends.hpp"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"

namespace tayra {
namespace {

class DirectHalo final : public Halo {
 public:
  explicit DirectHalo(HaloSite site)
      : site_(std::move(site)), notice_(quickest_notice(site_)), peers_(site_, notice_) {}

  void send_unswept(int field) override {
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab))
        site_.queue(move.source_slab)
            .copy(peers_.destination(move, field), site_.source(move, field), move.bytes);
    send(field);
  }

  void send(int field) override { peers_.announce(field); }
  void wait(int field) override { peers_.await(field); }
  bool can_be_recorded() const override { return true; }
  bool ties_queues() const override { return notice_ == LandingNotice::event; }
  void check() const override { peers_.check(); }

  bool lets_sweeps_store() const override { return true; }
  EdgeAddresses stores(int slab, int field) const override {
    EdgeAddresses addresses;
    for (const Move& move : site_.plan.moves)
      if (move.source_slab == slab)
        (move.edge == Edge::lower ? addresses.lower : addresses.upper) = peers_.destination(move, field);
    return addresses;
  }
  AwaitedPlanes awaited_by(int slab) const override { return peers_.awaited_by(slab); }

 private:
  HaloSite site_;
  LandingNotice notice_;
  Peers peers_;
};

}  // namespace

std::unique_ptr<Halo> make_direct_halo(HaloSite site) {
  return std::make_unique<DirectHalo>(std::move(site));
}

std::string direct_lacks(const HaloPlace& place) { return no_peer_access(place, Partners::neighbours); }

}  // namespace tayra
