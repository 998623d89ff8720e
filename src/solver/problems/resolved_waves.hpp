// Waves that a grid can tell from their absence.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "grid/grid.hpp"

namespace tayra {

/// Throws Error(bad_input) naming the key where a flow that varies along an axis has one cell there.
void require_cells_along(int axis, const std::string& key, const Grid& grid);

/// Throws Error(bad_input) naming the key where whole waves across the box, along x, y and z as far as they
/// are given, have fewer than four cells each.
void require_resolved_waves(const std::string& key, std::span<const std::int64_t> waves, const Grid& grid);

/// Nothing varies along an axis of one cell.
void drop_waves_along_single_cells(std::span<std::int64_t> waves, const Grid& grid);

}  // namespace tayra
