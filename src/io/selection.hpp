// Which cells of the box a snapshot holds, and the grid that they form.
#pragma once

#include <array>

#include "grid/grid.hpp"
#include "io/config.hpp"

namespace tayra {

struct AxisSelection {
  int first;
  int count;
  int stride;
  int at(int i) const { return first + i * stride; }
};

struct Selection {
  std::array<AxisSelection, 3> axes;

  std::array<int, 3> cells() const { return {axes[0].count, axes[1].count, axes[2].count}; }
  /// Of a grid whose cell centres are those of the selected cells.
  Vec3 lower(const Grid& grid) const;
  Vec3 spacing(const Grid& grid) const;
};

Selection select_cells(const Grid& grid, const SnapshotSettings& settings);

}  // namespace tayra
