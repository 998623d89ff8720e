// The edges of a slab.
#pragma once

namespace tayra {

/// The edge of a slab that its neighbour needs: its two lowest planes or its two highest, or of each plane
/// its first two rows or its last.
enum class Edge { lower, upper, first_rows, last_rows };
inline constexpr int edges = 4;

inline int number_of(Edge edge) { return static_cast<int>(edge); }
inline bool is_of_rows(Edge edge) { return edge == Edge::first_rows || edge == Edge::last_rows; }
/// At its destination an edge fills the ghosts of the opposite one.
inline int ghosts_filled_by(Edge edge) { return number_of(edge) ^ 1; }

}  // namespace tayra
