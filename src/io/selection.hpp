// Which cells of the box a snapshot holds, and the grid that they form.
#pragma once

#include <array>

#include "grid/axis_selection.hpp"
#include "grid/decomposition.hpp"
#include "grid/grid.hpp"
#include "io/config.hpp"

namespace tayra {

struct Selection {
  std::array<AxisSelection, 3> axes;

  std::array<int, 3> cells() const { return {axes[0].count, axes[1].count, axes[2].count}; }
  /// Of a grid whose cell centres are those of the selected cells.
  Vec3 lower(const Grid& grid) const;
  Vec3 spacing(const Grid& grid) const;
};

Selection select_cells(const Grid& grid, const SnapshotSettings& settings);

/// Which of the selected planes lie in a slab, counted from the first one selected.
SlabRange selected_in(const AxisSelection& z, SlabRange slab);

}  // namespace tayra
