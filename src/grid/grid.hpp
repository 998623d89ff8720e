// The box: its cells, extent and boundaries.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace tayra {

using Vec3 = std::array<double, 3>;

enum class Boundary { periodic, mirror, outflow };
/// In the order of Boundary.
inline constexpr std::array boundary_names{"periodic", "mirror", "outflow"};
inline const char* name_of(Boundary boundary) { return boundary_names[static_cast<std::size_t>(boundary)]; }

/// A cell centre. `offset` is measured from the middle of the box and is exactly antisymmetric about it,
/// so that a symmetric formula in it gives a start that is symmetric to the last bit.
struct Point {
  Vec3 position;
  Vec3 offset;
};

struct Grid {
  std::array<int, 3> cells{};
  Vec3 lower{0, 0, 0};
  Vec3 upper{1, 1, 1};
  std::array<Boundary, 3> boundary{};

  double length(int axis) const { return upper[axis] - lower[axis]; }
  double cell_count() const { return static_cast<double>(cells[0]) * cells[1] * cells[2]; }
  double spacing(int axis) const { return length(axis) / cells[axis]; }
  /// Along an axis of one cell nothing varies: it has no faces, and no part in the length of a step.
  bool varies_along(int axis) const { return cells[axis] > 1; }
  /// Of what a signal crosses.
  double inverse_spacing(int axis) const { return varies_along(axis) ? 1 / spacing(axis) : 0; }
  /// That waves have room in: 0 along an axis of one cell.
  double side(int axis) const { return varies_along(axis) ? length(axis) : 0; }
  double middle(int axis) const { return 0.5 * (lower[axis] + upper[axis]); }
  double offset(int axis, int index) const { return (index - 0.5 * (cells[axis] - 1)) * spacing(axis); }
  double centre(int axis, int index) const { return middle(axis) + offset(axis, index); }
  Point point(int x, int y, int z) const {
    return {{centre(0, x), centre(1, y), centre(2, z)}, {offset(0, x), offset(1, y), offset(2, z)}};
  }
};

}  // namespace tayra
