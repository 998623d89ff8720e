// Planes that lie side by side are read in one call.
#include "io/state_block.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "grid/boundary.hpp"
#include "grid/layout.hpp"

namespace tayra {
namespace {

std::size_t values_a_plane(const Grid& grid) {
  return std::size_t(field_variables) * grid.cells[0] * grid.cells[1];
}

}  // namespace

BlockPlanes::BlockPlanes(const Grid& grid, SlabRange here, std::vector<int> planes, Needs needs)
    : grid_(grid), here_(here), needs_(needs), planes_(std::move(planes)) {
  std::set<int> all(planes_.begin(), planes_.end());
  if (needs == Needs::neighbours)
    for (const int z : planes_)
      for (const int side : {-1, 1}) all.insert(source(z + side));
  held_.assign(all.begin(), all.end());
}

int BlockPlanes::source(int plane) const {
  const int own = ghost_source(plane, grid_.cells[2], grid_.boundary[2]).index;
  return own >= here_.first && own < here_.first + here_.planes ? own : plane;
}

std::size_t BlockPlanes::slot(int plane) const {
  return std::lower_bound(held_.begin(), held_.end(), source(plane)) - held_.begin();
}

StateCopy::StateCopy(Simulation& simulation, BlockPlanes block, std::shared_ptr<std::byte> memory)
    : simulation_(simulation), block_(std::move(block)), memory_(std::move(memory)) {
  block_.each_run([&](std::size_t slot, int first, int count) {
    arrivals_.push_back(simulation.start_copy(first, count, memory_.get() + slot * simulation.plane_bytes()));
  });
}

StateBlock::StateBlock(const StateCopy& copy, double gamma)
    : block_(copy.block_), gamma_(gamma), memory_(copy.memory_) {
  const std::size_t plane = values_a_plane(block_.grid()), plane_bytes = copy.simulation_.plane_bytes();
  if (plane_bytes < plane * sizeof(double))
    widened_ = std::make_unique_for_overwrite<double[]>(plane * block_.held().size());
  state_ = widened_ ? widened_.get() : reinterpret_cast<double*>(memory_.get());
  for (const Arrival& arrival : copy.arrivals_) arrival.wait();
  block_.each_run([&](std::size_t slot, int first, int count) {
    copy.simulation_.widen(first, count, memory_.get() + slot * plane_bytes, state_ + slot * plane);
  });
}

CellRow StateBlock::row(int plane, int y) const {
  const Grid& grid = block_.grid();
  const std::size_t word = std::size_t(grid.cells[0]) * grid.cells[1];
  const double* start = state_ + block_.slot(plane) * values_a_plane(grid) + std::size_t(y) * grid.cells[0];
  return {.density = start,
          .momentum = {start + word, start + 2 * word, start + 3 * word},
          .energy = start + 4 * word,
          .count = grid.cells[0],
          .gamma = gamma_};
}

CellRows StateBlock::rows(int plane, int y) const {
  const Grid& grid = block_.grid();
  CellRows rows{.here = row(plane, y), .along_y = {}, .along_z = {}, .grid = grid};
  if (block_.needs() == Needs::own_cell) return rows;
  for (const int side : {0, 1}) {
    rows.along_y[side] = row(plane, ghost_source(y + 2 * side - 1, grid.cells[1], grid.boundary[1]).index);
    rows.along_z[side] = row(plane + 2 * side - 1, y);
  }
  return rows;
}

}  // namespace tayra
