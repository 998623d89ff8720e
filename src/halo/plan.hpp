// Which blocks of memory travel in one halo exchange. Built once, never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halo/edge.hpp"

namespace tayra {

/// One contiguous block, or pieces so far apart. Offsets hold for each of a slab's three fields.
struct Move {
  int source_slab;
  int destination_slab;
  std::size_t source_offset;  // bytes from the start of the field
  std::size_t destination_offset;
  std::size_t bytes;  // of a piece
  Edge edge;          // of the source
  int number = 0;     // among all blocks of the box
  std::size_t pieces = 1;
  std::size_t source_apart = bytes, destination_apart = bytes;
};

/// Planes lie in one block. Of rows, two of each plane and variable are a piece. They go from slab to slab of
/// the same rank as they lie, and to another rank as a block, behind the field's planes, into which they are
/// packed before it moves and from which they are unpacked when it has arrived.
struct ExchangePlan {
  std::vector<Move> moves;           // of blocks
  std::vector<Move> row_moves = {};  // from an edge to the ghosts that it fills, on whichever rank
  std::vector<Move> packed = {};     // of those to another rank: from the edge into a block there
  std::vector<Move> unpacked = {};   // and from a block into the ghosts
  std::size_t largest = 0;           // block of the box, in bytes
  /// A block, with the next number.
  void add(Move move);
  /// For who can store into a neighbour's memory on another rank, too: rows move as they lie.
  ExchangePlan without_blocks_of_rows() const;
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
