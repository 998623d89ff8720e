// Planes that lie side by side are read in one call.
#include "io/state_block.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "grid/boundary.hpp"
#include "grid/layout.hpp"

namespace tayra {
namespace {

std::size_t values_a_plane(const Grid& grid) {
  return std::size_t(field_variables) * grid.cells[0] * grid.cells[1];
}

std::vector<int> with_neighbours(const Grid& grid, const std::vector<int>& planes) {
  std::set<int> all(planes.begin(), planes.end());
  for (const int z : planes)
    for (const int side : {-1, 1}) all.insert(ghost_source(z + side, grid.cells[2], grid.boundary[2]).index);
  return {all.begin(), all.end()};
}

}  // namespace

StateBlock::StateBlock(Simulation& simulation, const Grid& grid, double gamma, std::vector<int> planes,
                       Needs needs)
    : grid_(grid),
      gamma_(gamma),
      needs_(needs),
      planes_(std::move(planes)),
      held_(needs == Needs::neighbours ? with_neighbours(grid, planes_) : planes_),
      state_(std::make_unique_for_overwrite<double[]>(values_a_plane(grid) * held_.size())) {
  const std::size_t plane = values_a_plane(grid);
  for (std::size_t i = 0, end = 0; i < held_.size(); i = end) {
    for (end = i + 1; end < held_.size() && held_[end] == held_[end - 1] + 1;) ++end;
    simulation.read_planes(held_[i], static_cast<int>(end - i),
                           std::span(state_.get() + i * plane, (end - i) * plane));
  }
}

CellRow StateBlock::row(int plane, int y) const {
  const std::size_t word = std::size_t(grid_.cells[0]) * grid_.cells[1];
  const auto slot = std::lower_bound(held_.begin(), held_.end(), plane) - held_.begin();
  const double* start = state_.get() + slot * values_a_plane(grid_) + std::size_t(y) * grid_.cells[0];
  return {.density = start,
          .momentum = {start + word, start + 2 * word, start + 3 * word},
          .energy = start + 4 * word,
          .count = grid_.cells[0],
          .gamma = gamma_};
}

CellRows StateBlock::rows(int plane, int y) const {
  CellRows rows{.here = row(plane, y), .along_y = {}, .along_z = {}, .grid = grid_};
  if (needs_ == Needs::own_cell) return rows;
  for (const int side : {0, 1}) {
    rows.along_y[side] = row(plane, ghost_source(y + 2 * side - 1, grid_.cells[1], grid_.boundary[1]).index);
    rows.along_z[side] = row(ghost_source(plane + 2 * side - 1, grid_.cells[2], grid_.boundary[2]).index, y);
  }
  return rows;
}

std::size_t state_bytes(const Grid& grid, int planes, Needs needs) {
  return values_a_plane(grid) * sizeof(double) * std::size_t(planes + (needs == Needs::neighbours ? 2 : 0));
}

}  // namespace tayra
