// Which blocks of memory travel in one halo exchange. Built once, never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tayra {

/// The edge of a slab that its neighbour needs: its two lowest planes, or its two highest.
enum class Edge { lower, upper };

/// One contiguous block: two planes of all five variables. Offsets hold for each of a slab's three fields.
struct Move {
  int source_slab;
  int destination_slab;
  std::size_t source_offset;  // bytes from the start of the field
  std::size_t destination_offset;
  std::size_t bytes;
  Edge edge;  // of the source
};

/// Two rows of each plane and variable: pieces so far apart, between slabs side by side along y, which lie on
/// one rank.
struct RowMove {
  int source_slab;
  int destination_slab;
  std::size_t source_offset;
  std::size_t source_apart;
  std::size_t destination_offset;
  std::size_t destination_apart;
  std::size_t bytes;  // of a piece
  std::size_t pieces;
};

struct ExchangePlan {
  std::vector<Move> moves;
  std::vector<RowMove> row_moves = {};
  std::uint64_t bytes() const;
};

/// How a slab lies in memory. Only where there are others beside it along y do its rows matter.
struct PlannedSlab {
  int planes;
  std::size_t plane_bytes;
  int rows = 0;
  std::size_t row_bytes = 0;  // of one variable
  int variables = 1;
};

/// Slabs stacked along z, so many side by side along y in each layer, which are numbered first; the last
/// one's neighbour along an axis is the first where that is periodic. Where there is one along an axis it
/// finds its ghosts in its own cells.
ExchangePlan make_exchange_plan(const std::vector<PlannedSlab>& slabs, int side_by_side, bool periodic_z,
                                bool periodic_y);

}  // namespace tayra
