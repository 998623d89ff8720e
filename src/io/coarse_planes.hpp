// Planes of a grid that a finer one is filled from, on limited slopes that cancel in the sum of a cell's
// children.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/number.hpp"
#include "grid/boundary.hpp"
#include "grid/grid.hpp"
#include "grid/layout.hpp"

namespace tayra {

/// Density, momentum, energy less the background's; then fractions.
using Conserved = std::array<double, field_variables + most_scalars>;
using FieldPlane = std::vector<double>;  // [variable][y][x]

/// Lowers a cell's fractions so that the sum of mass times fraction of its children, on slopes, is the
/// cell's. Of a fraction that would leave 0 to 1 in some child there is no slope.
inline void keep_carried(Conserved& cell, std::array<Conserved, 3>& slopes,
                         const std::array<int, 3>& factors) {
  for (std::size_t v = field_variables; v < cell.size(); ++v) {
    double common = 0, reach = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double factor = factors[axis];
      common += slopes[axis][0] * slopes[axis][v] * (1 - 1 / (factor * factor)) / 12;
      reach += std::abs(slopes[axis][v]) * (1 - 1 / factor) / 2;
    }
    const double lowered = cell[v] - common / cell[0];
    if (lowered - reach >= 0 && lowered + reach <= 1)
      cell[v] = lowered;
    else
      for (Conserved& slope : slopes) slope[v] = 0;
  }
}

/// A plane and those beside it, with what lies beyond the box's ends.
class CoarsePlanes {
 public:
  CoarsePlanes(const Grid& grid, int variables, std::function<FieldPlane(int)> read)
      : grid_(grid), variables_(variables), read_(std::move(read)) {}

  /// Planes that are still needed are not read again.
  void go_to(int z) {
    for (const int side : {-1, 0, 1})
      sources_[side + 1] = ghost_source(z + side, grid_.cells[2], grid_.boundary[2]);
    const auto is_needed = [&](int plane) {
      return std::any_of(sources_.begin(), sources_.end(), [&](const Source& s) { return s.index == plane; });
    };
    std::erase_if(kept_, [&](const auto& plane) { return !is_needed(plane.first); });
    for (int i = 0; i < 3; ++i) {
      const int plane = sources_[i].index;
      if (!kept_.contains(plane)) kept_[plane] = read_(plane);
      planes_[i] = &kept_[plane];
    }
  }

  /// One step along one axis at most.
  Conserved at(int x, int y, int z_side) const {
    const Source from_x = ghost_source(x, grid_.cells[0], grid_.boundary[0]);
    const Source from_y = ghost_source(y, grid_.cells[1], grid_.boundary[1]);
    const std::size_t stride = std::size_t(grid_.cells[0]) * grid_.cells[1];
    const std::size_t place = std::size_t(from_y.index) * grid_.cells[0] + from_x.index;
    const Source from_z = sources_[z_side + 1];
    const FieldPlane& plane = *planes_[z_side + 1];
    Conserved cell{};
    for (int v = 0; v < variables_; ++v) cell[v] = plane[v * stride + place];
    if (from_x.flipped) cell[1] = -cell[1];
    if (from_y.flipped) cell[2] = -cell[2];
    if (from_z.flipped) cell[3] = -cell[3];
    return cell;
  }

  /// By axis, from a cell to the next; none along an axis that is not refined.
  std::array<Conserved, 3> slopes_at(int x, int y, const std::array<int, 3>& factors) const {
    const Conserved here = at(x, y, 0);
    std::array<Conserved, 3> slopes{};
    for (int axis = 0; axis < 3; ++axis) {
      if (factors[axis] == 1) continue;
      const int dx = axis == 0, dy = axis == 1, dz = axis == 2;
      const Conserved below = at(x - dx, y - dy, -dz), above = at(x + dx, y + dy, dz);
      for (int v = 0; v < variables_; ++v)
        slopes[axis][v] = Minmod<double>::of(above[v] - here[v], here[v] - below[v], 1, false).most;
    }
    return slopes;
  }

 private:
  Grid grid_;
  int variables_;
  std::function<FieldPlane(int)> read_;
  std::map<int, FieldPlane> kept_;
  // The plane below, the one in the middle, and the one above:
  std::array<Source, 3> sources_{};
  std::array<const FieldPlane*, 3> planes_{};
};

}  // namespace tayra
