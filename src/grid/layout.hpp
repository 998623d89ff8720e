// How a slab's field lies in memory: [z][variable][y][x] with two ghost planes below and above. The two ghost
// planes of all variables, the five of the flow and the scalars that it carries, are one contiguous block, so
// a face moves in one piece and nothing is packed. Of a slab that is cut along y, too, each plane has two
// ghost rows below and above.
#pragma once

#include <cstddef>

#include "core/number.hpp"

namespace tayra {

inline constexpr int ghost_planes = 2;
inline constexpr int ghost_rows = 2;
inline constexpr int field_variables = 5;
inline constexpr int most_scalars = 4;

struct Layout {
  int nx, ny, nz;      // own cells; plane z = -2 is the first in memory
  int scalars = 0;     // behind the flow's variables
  int other_rows = 0;  // of each plane in memory, besides the own ones

  TAYRA_HD std::size_t cells_of_plane() const { return static_cast<std::size_t>(nx) * ny; }
  TAYRA_HD std::size_t variable_stride() const { return static_cast<std::size_t>(nx) * (ny + other_rows); }
  TAYRA_HD std::size_t plane_stride() const { return (field_variables + scalars) * variable_stride(); }
  /// From row 0 of the first plane in memory to that of plane z.
  TAYRA_HD std::size_t plane_start(int z) const { return (z + ghost_planes) * plane_stride(); }
  TAYRA_HD std::size_t size() const { return (nz + 2 * ghost_planes) * plane_stride(); }
};

}  // namespace tayra
