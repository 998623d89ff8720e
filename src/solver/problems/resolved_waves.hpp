// Waves that a grid can tell from their absence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grid/grid.hpp"

namespace tayra {

/// Throws Error(bad_input) naming the key where a flow that varies along an axis has one cell there.
void require_cells_along(int axis, const std::string& key, const Grid& grid);

/// Throws Error(bad_input) naming the key where whole waves across the box, along x, y and z as far as they
/// are given, have fewer than four cells each.
void require_resolved_waves(const std::string& key, const std::vector<std::int64_t>& waves, const Grid& grid);

}  // namespace tayra
