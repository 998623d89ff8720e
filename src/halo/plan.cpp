// Two moves wherever two slabs meet.
#include "halo/plan.hpp"

#include <algorithm>
#include <cstdint>

#include "grid/layout.hpp"

namespace tayra {
namespace {

/// Where things of a slab begin in its field.
class Places {
 public:
  explicit Places(const PlannedSlab& slab) : slab_(slab) {}

  std::size_t plane(int number) const { return number * slab_.plane_bytes; }  // the first in memory is 0
  std::size_t row(int number) const { return plane(ghost_planes) + number * slab_.row_bytes; }
  std::size_t rows_apart() const { return slab_.plane_bytes / slab_.variables; }
  std::size_t leaving(Edge edge) const { return block(number_of(edge) - number_of(Edge::first_rows)); }
  std::size_t arriving(Edge ghosts) const { return block(number_of(ghosts)); }

 private:
  std::size_t block(int number) const {
    return plane(slab_.planes + 2 * ghost_planes) + number * slab_.block_bytes();
  }

  const PlannedSlab& slab_;
};

class Plan {
 public:
  explicit Plan(const std::vector<PlannedSlab>& slabs) : slabs_(slabs) {}

  /// A slab and the one above it along z.
  void meet_planes(int lower, int upper) {
    const Places below(slabs_[lower]), above(slabs_[upper]);
    const std::size_t bytes = below.plane(ghost_planes);
    const int planes = slabs_[lower].planes;
    plan.add({lower, upper, below.plane(planes), 0, bytes, Edge::upper});
    plan.add({upper, lower, bytes, below.plane(ghost_planes + planes), bytes, Edge::lower});
  }

  /// A slab and the one above it along y; rows are numbered from the first ghost.
  void meet_rows(int lower, int upper) {
    const int rows = slabs_[lower].rows;
    move_rows(lower, rows, upper, 0, Edge::last_rows);
    move_rows(upper, ghost_rows, lower, ghost_rows + rows, Edge::first_rows);
  }

  ExchangePlan plan;

 private:
  void move_rows(int from, int row, int to, int ghost_row, Edge edge) {
    const PlannedSlab& slab = slabs_[from];
    const Places source(slab), destination(slabs_[to]);
    const std::size_t bytes = ghost_rows * slab.row_bytes;
    const std::size_t pieces = static_cast<std::size_t>(slab.planes) * slab.variables;
    const Move whole{from, to, source.row(row), destination.row(ghost_row), bytes,
                     edge, 0,  pieces,          source.rows_apart(),        destination.rows_apart()};
    plan.row_moves.push_back(whole);
    if (slab.rank == slabs_[to].rank) return;
    Move packed = whole, unpacked = whole;
    packed.destination_slab = from;
    packed.destination_offset = source.leaving(edge);
    packed.destination_apart = bytes;
    unpacked.source_slab = to;
    unpacked.source_offset = destination.arriving(static_cast<Edge>(ghosts_filled_by(edge)));
    unpacked.source_apart = bytes;
    plan.packed.push_back(packed);
    plan.add({from, to, packed.destination_offset, unpacked.source_offset, bytes * pieces, edge});
    plan.unpacked.push_back(unpacked);
  }

  const std::vector<PlannedSlab>& slabs_;
};

}  // namespace

std::size_t PlannedSlab::block_bytes() const { return ghost_rows * row_bytes * variables * planes; }

void ExchangePlan::add(Move move) {
  move.number = static_cast<int>(moves.size());
  moves.push_back(move);
  largest = std::max(largest, move.bytes);
}

ExchangePlan ExchangePlan::without_blocks_of_rows() const {
  std::vector<Move> all = moves;
  std::erase_if(all, [](const Move& move) { return is_of_rows(move.edge); });
  all.insert(all.end(), row_moves.begin(), row_moves.end());
  return {all};
}

std::uint64_t ExchangePlan::bytes() const {
  std::uint64_t sum = 0;
  for (const Move& move : without_blocks_of_rows().moves) sum += move.bytes * move.pieces;
  return sum;
}

ExchangePlan ExchangePlan::of_rank(const std::vector<int>& rank_of_slab, int rank) const {
  const auto touching = [&](std::vector<Move> own) {
    std::erase_if(own, [&](const Move& move) {
      return rank_of_slab[move.source_slab] != rank && rank_of_slab[move.destination_slab] != rank;
    });
    return own;
  };
  return {touching(moves), touching(row_moves), touching(packed), touching(unpacked), largest};
}

ExchangePlan make_exchange_plan(const std::vector<PlannedSlab>& slabs, int side_by_side, bool periodic_z,
                                bool periodic_y) {
  Plan made(slabs);
  const int layers = static_cast<int>(slabs.size()) / side_by_side;
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < side_by_side; ++y) {
      const int slab = layer * side_by_side + y;
      if (layers > 1 && (periodic_z || layer + 1 < layers))
        made.meet_planes(slab, (layer + 1) % layers * side_by_side + y);
      if (side_by_side > 1 && (periodic_y || y + 1 < side_by_side))
        made.meet_rows(slab, layer * side_by_side + (y + 1) % side_by_side);
    }
  return made.plan;
}

}  // namespace tayra
