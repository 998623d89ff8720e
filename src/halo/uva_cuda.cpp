// Halo backend `uva`: one asynchronous copy a piece, by unified addresses.
#include "halo/peers.hpp"
#include "halo/slab_gpus.hpp"
#include "halo/transport.hpp"

namespace tayra {
namespace {

class UvaTransport final : public Transport {
 public:
  explicit UvaTransport(HaloSite site) : Transport(std::move(site)), peers_(site_, ArrivalNotice::event) {}

  void start_moves(int field) override {
    for (const Move& move : site_.plan.moves)
      if (site_.is_here(move.source_slab))
        site_.queue(move.source_slab)
            .copy(peers_.destination(move, field), site_.source(move, field), move.bytes);
    peers_.signal(field);
  }

  void finish_moves(int field) override { peers_.await(field); }
  TransportTraits traits() const override { return {.recordable = true}; }

 private:
  Peers peers_;
};

}  // namespace

std::unique_ptr<Transport> make_uva_transport(HaloSite site) {
  return std::make_unique<UvaTransport>(std::move(site));
}

/// Without peer access the driver carries such copies through the host by itself.
std::string uva_lacks(const HaloPlace& place) {
  return ranks().size() == 1 ? "" : no_peer_access(place, Partners::neighbours);
}

}  // namespace tayra
