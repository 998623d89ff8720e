// Waves that a grid can tell from their absence: four cells each. The errors name the key.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "core/error.hpp"
#include "grid/grid.hpp"

namespace tayra {

/// For a flow that varies along an axis.
inline void require_cells_along(int axis, const std::string& key, const Grid& grid) {
  require(grid.varies_along(axis), ExitCode::bad_input,
          fmt::format("{}: this flow varies along {}, where grid.cells has 1: give at least 4", key,
                      "xyz"[axis]));
}

/// Of whole waves across the box along x, y and z, as far as they are given.
inline void require_resolved_waves(const std::string& key, std::span<const std::int64_t> waves,
                                   const Grid& grid) {
  for (std::size_t axis = 0; axis < waves.size(); ++axis) {
    require(waves[axis] == 0 || grid.varies_along(static_cast<int>(axis)), ExitCode::bad_input,
            fmt::format("{}: {} along {}, where grid.cells has 1 (nothing varies there): set 0, or give at "
                        "least 4 cells a wave",
                        key, waves[axis], "xyz"[axis]));
    require(std::abs(waves[axis]) <= grid.cells[axis] / 4, ExitCode::bad_input,
            fmt::format("{}: {} waves along {} have fewer than 4 cells each (there are {} cells): take fewer "
                        "waves or refine the grid",
                        key, std::abs(waves[axis]), "xyz"[axis], grid.cells[axis]));
  }
}

inline void drop_waves_along_single_cells(std::span<std::int64_t> waves, const Grid& grid) {
  for (std::size_t axis = 0; axis < waves.size(); ++axis)
    if (!grid.varies_along(static_cast<int>(axis))) waves[axis] = 0;
}

}  // namespace tayra
