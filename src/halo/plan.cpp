// From the planes of each slab: two moves wherever two slabs meet.
#include "halo/plan.hpp"

#include <cstdint>
#include <numeric>

#include "grid/layout.hpp"

namespace tayra {

std::uint64_t ExchangePlan::bytes() const {
  return std::accumulate(moves.begin(), moves.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const Move& move) { return sum + move.bytes; });
}

ExchangePlan make_exchange_plan(const std::vector<int>& slab_planes, std::size_t plane_bytes, bool periodic) {
  ExchangePlan plan;
  const int slabs = static_cast<int>(slab_planes.size());
  if (slabs == 1) return plan;
  const std::size_t face = ghost_planes * plane_bytes;
  for (int lower = 0; lower < slabs; ++lower) {
    if (lower == slabs - 1 && !periodic) break;
    const int upper = (lower + 1) % slabs;
    const std::size_t lower_planes = slab_planes[lower];
    plan.moves.push_back({lower, upper, lower_planes * plane_bytes, 0, face, Edge::upper});
    plan.moves.push_back(
        {upper, lower, face, (ghost_planes + lower_planes) * plane_bytes, face, Edge::lower});
  }
  return plan;
}

}  // namespace tayra
