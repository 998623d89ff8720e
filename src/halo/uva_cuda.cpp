// Halo backend `uva`: one asynchronous copy a piece, by unified addresses.
#include "halo/backends.hpp"
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"

namespace tayra {
namespace {

class UvaHalo final : public Halo {
 public:
  explicit UvaHalo(HaloSite site) : site_(std::move(site)), peers_(site_, LandingNotice::event) {}

  void send(int field) override {
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab))
        site_.queue(move.source_slab)
            .copy(peers_.destination(move, field), site_.source(move, field), move.bytes);
    peers_.announce(field);
  }

  void wait(int field) override { peers_.await(field); }
  bool can_be_recorded() const override { return true; }
  void check() const override { peers_.check(); }

 private:
  HaloSite site_;
  Peers peers_;
};

}  // namespace

std::unique_ptr<Halo> make_uva_halo(HaloSite site) { return std::make_unique<UvaHalo>(std::move(site)); }

/// Without peer access the driver carries such copies through the host by itself.
std::string uva_lacks(const HaloPlace& place) {
  return ranks().size() == 1 ? "" : no_peer_access(place, Partners::neighbours);
}

}  // namespace tayra
