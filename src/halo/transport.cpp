// What sites and transports have in common.
#include "halo/transport.hpp"

#include <algorithm>
#include <chrono>

namespace tayra {

std::vector<int> HaloSite::gpus() const {
  std::vector<int> numbers;
  for (const HaloSlab& slab : slabs) numbers.push_back(slab.queue->device().number);
  return numbers;
}

HaloPlace HaloSite::place() const { return {slabs.front().queue->device().kind, gpus()}; }

void Transport::exchange(int field) {
  if (traits().sweeps_store)
    for (const Move& move : site_.plan.moves) {
      if (!site_.is_here(move.source_slab)) continue;
      const PeerGhosts ghosts = peer_ghosts(move.source_slab, field);
      site_.queue(move.source_slab)
          .copy(move.edge == Edge::lower ? ghosts.below : ghosts.above, site_.source(move, field),
                move.bytes);
    }
  start(field);
  finish(field);
}

double seconds_per_exchange(const HaloSite& site, const std::function<void(int field)>& exchange) {
  constexpr int warm_up = 2, repeats = 8;
  std::chrono::steady_clock::time_point start;
  for (int i = 0; i < warm_up + repeats; ++i) {
    if (i == warm_up) start = std::chrono::steady_clock::now();
    exchange(1);
    for (const HaloSlab& slab : site.slabs) await_done(*slab.queue);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const auto all = ranks().gather_values(elapsed.count());
  return *std::max_element(all.begin(), all.end()) / repeats;
}

}  // namespace tayra
