// Which blocks of memory travel in one halo exchange. Built once, never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halo/edge.hpp"

namespace tayra {

/// One contiguous block. Offsets hold for each of a slab's three fields.
struct Move {
  int source_slab;
  int destination_slab;
  std::size_t source_offset;  // bytes from the start of the field
  std::size_t destination_offset;
  std::size_t bytes;
  Edge edge;       // of the source
  int number = 0;  // among all moves of the box
};

/// Two rows of each plane and variable: pieces so far apart.
struct RowMove {
  int source_slab;
  int destination_slab;
  std::size_t source_offset;
  std::size_t source_apart;
  std::size_t destination_offset;
  std::size_t destination_apart;
  std::size_t bytes;  // of a piece
  std::size_t pieces;
  Edge edge;  // of the source
};

/// Planes lie in one block. Rows go from slab to slab of the same rank piece by piece, and to another rank as
/// a block, behind the field's planes, into which they are packed before it moves and from which they are
/// unpacked when it has arrived.
struct ExchangePlan {
  std::vector<Move> moves;
  std::vector<RowMove> row_moves = {};  // to a neighbour, or into a block
  std::vector<RowMove> unpacked = {};
  std::size_t largest = 0;  // move of the box, in bytes
  /// With the next number.
  void add(Move move);
  std::uint64_t bytes() const;
  /// What starts or ends on a rank.
  ExchangePlan of_rank(const std::vector<int>& rank_of_slab, int rank) const;
};

/// How a slab lies in memory. Only where there are others beside it along y do its rows matter.
struct PlannedSlab {
  int planes;
  std::size_t plane_bytes;
  int rows = 0;
  std::size_t row_bytes = 0;  // of one variable
  int variables = 1;
  int rank = 0;

  /// Behind its planes, where others beside it lie on other ranks: of a block for each edge of rows, and for
  /// the ghosts there.
  std::size_t block_bytes() const;
  std::size_t bytes_of_blocks() const { return edges * block_bytes(); }
};

/// Slabs stacked along z, so many side by side along y in each layer, which are numbered first; the last
/// one's neighbour along an axis is the first where that is periodic. Where there is one along an axis it
/// finds its ghosts in its own cells.
ExchangePlan make_exchange_plan(const std::vector<PlannedSlab>& slabs, int side_by_side, bool periodic_z,
                                bool periodic_y);

}  // namespace tayra
