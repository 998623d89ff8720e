// From corners to cells.
#include "io/selection.hpp"

#include <algorithm>
#include <cmath>

namespace tayra {
namespace {

AxisSelection select_axis(const Grid& grid, int axis, double lower, double upper, int stride) {
  constexpr double round_off = 1e-9;  // of a cell
  const auto place = [&](double position) { return (position - grid.lower[axis]) / grid.spacing(axis); };
  const int last_cell = grid.cells[axis] - 1;
  const int first = std::max(0, static_cast<int>(std::ceil(place(lower) - 0.5 - round_off)));
  const int last = std::min(last_cell, static_cast<int>(std::floor(place(upper) - 0.5 + round_off)));
  const int count = (last - first) / stride + 1;
  if (last >= first && count > 1) return {first, count, stride};
  if (last >= first) return {first, 1, 1};
  return {std::clamp(static_cast<int>(std::floor(place(0.5 * (lower + upper)))), 0, last_cell), 1, 1};
}

}  // namespace

Selection select_cells(const Grid& grid, const SnapshotSettings& settings) {
  const Vec3 lower = settings.lower.value_or(grid.lower), upper = settings.upper.value_or(grid.upper);
  Selection selection{};
  for (int axis = 0; axis < 3; ++axis)
    selection.axes[axis] = select_axis(grid, axis, lower[axis], upper[axis], settings.stride[axis]);
  return selection;
}

SlabRange selected_in(const AxisSelection& z, SlabRange slab) {
  const auto before = [&](int plane) {
    return std::clamp((plane - z.first + z.stride - 1) / z.stride, 0, z.count);
  };
  const int first = before(slab.first);
  return {first, before(slab.first + slab.planes) - first};
}

Vec3 Selection::lower(const Grid& grid) const {
  Vec3 corner{};
  for (int axis = 0; axis < 3; ++axis)
    corner[axis] = grid.lower[axis] + (axes[axis].first + 0.5 - 0.5 * axes[axis].stride) * grid.spacing(axis);
  return corner;
}

Vec3 Selection::spacing(const Grid& grid) const {
  Vec3 size{};
  for (int axis = 0; axis < 3; ++axis) size[axis] = axes[axis].stride * grid.spacing(axis);
  return size;
}

}  // namespace tayra
