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

struct ExchangePlan {
  std::vector<Move> moves;
  std::uint64_t bytes() const;
};

/// Slabs stacked along z, each with the planes given; the last one's neighbour is the first where z is
/// periodic. A slab alone needs no exchange: it finds its ghosts in its own planes.
ExchangePlan make_exchange_plan(const std::vector<int>& slab_planes, std::size_t plane_bytes, bool periodic);

}  // namespace tayra
