// Two moves wherever two slabs meet.
#include "halo/plan.hpp"

#include <cstdint>

#include "grid/layout.hpp"

namespace tayra {
namespace {

/// Between a slab and the one above it along z.
void meet_planes(ExchangePlan& plan, const std::vector<PlannedSlab>& slabs, int lower, int upper) {
  const std::size_t plane = slabs[lower].plane_bytes, face = ghost_planes * plane;
  const std::size_t lower_planes = slabs[lower].planes;
  plan.moves.push_back({lower, upper, lower_planes * plane, 0, face, Edge::upper});
  plan.moves.push_back({upper, lower, face, (ghost_planes + lower_planes) * plane, face, Edge::lower});
}

/// Between a slab and the one above it along y.
void meet_rows(ExchangePlan& plan, const std::vector<PlannedSlab>& slabs, int lower, int upper) {
  const PlannedSlab &below = slabs[lower], &above = slabs[upper];
  const auto row = [](const PlannedSlab& slab, int number) {  // of the first plane that is no ghost
    return ghost_planes * slab.plane_bytes + number * slab.row_bytes;
  };
  const auto apart = [](const PlannedSlab& slab) { return slab.plane_bytes / slab.variables; };
  const std::size_t bytes = ghost_rows * below.row_bytes;
  const std::size_t pieces = static_cast<std::size_t>(below.planes) * below.variables;
  const int rows = below.rows;  // behind two ghosts
  plan.row_moves.push_back(
      {lower, upper, row(below, rows), apart(below), row(above, 0), apart(above), bytes, pieces});
  plan.row_moves.push_back({upper, lower, row(above, ghost_rows), apart(above), row(below, ghost_rows + rows),
                            apart(below), bytes, pieces});
}

}  // namespace

std::uint64_t ExchangePlan::bytes() const {
  std::uint64_t sum = 0;
  for (const Move& move : moves) sum += move.bytes;
  for (const RowMove& move : row_moves) sum += move.bytes * move.pieces;
  return sum;
}

ExchangePlan make_exchange_plan(const std::vector<PlannedSlab>& slabs, int side_by_side, bool periodic_z,
                                bool periodic_y) {
  ExchangePlan plan;
  const int layers = static_cast<int>(slabs.size()) / side_by_side;
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < side_by_side; ++y) {
      const int slab = layer * side_by_side + y;
      if (layers > 1 && (periodic_z || layer + 1 < layers))
        meet_planes(plan, slabs, slab, (layer + 1) % layers * side_by_side + y);
      if (side_by_side > 1 && (periodic_y || y + 1 < side_by_side))
        meet_rows(plan, slabs, slab, layer * side_by_side + (y + 1) % side_by_side);
    }
  return plan;
}

}  // namespace tayra
