// The conserved state of some planes of this rank, read out of a simulation for fields to be computed from.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "grid/decomposition.hpp"
#include "io/snapshot_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Planes that a block is made of. All counts of planes are the box's; where another rank goes on, its next
/// one is a neighbour as Simulation::start_copy() counts it.
class BlockPlanes {
 public:
  /// `planes`: ascending, of those `here`. With neighbours, those above and below each are read too.
  BlockPlanes(const Grid& grid, SlabRange here, std::vector<int> planes, Needs needs);

  const Grid& grid() const { return grid_; }
  Needs needs() const { return needs_; }
  const std::vector<int>& planes() const { return planes_; }
  /// Those that must be read, ascending.
  const std::vector<int>& held() const { return held_; }
  /// Where a plane, or the one that a boundary puts in its place, lies among those.
  std::size_t slot(int plane) const;
  /// Calls work(slot, first, count) for planes held that lie side by side.
  template <class Work>
  void each_run(Work work) const {
    for (std::size_t i = 0, end = 0; i < held_.size(); i = end) {
      for (end = i + 1; end < held_.size() && held_[end] == held_[end - 1] + 1;) ++end;
      work(i, held_[i], static_cast<int>(end - i));
    }
  }

 private:
  int source(int plane) const;

  Grid grid_;
  SlabRange here_;
  Needs needs_;
  std::vector<int> planes_, held_;
};

/// On its way from the device into host memory.
class StateCopy {
 public:
  /// `memory` has room for all planes held.
  StateCopy(Simulation& simulation, BlockPlanes block, std::shared_ptr<std::byte> memory);

 private:
  friend class StateBlock;
  const Simulation& simulation_;
  BlockPlanes block_;
  std::shared_ptr<std::byte> memory_;
  std::vector<Arrival> arrivals_;
};

class StateBlock {
 public:
  /// Waits until all is there; any thread may.
  StateBlock(const StateCopy& copy, double gamma);

  const std::vector<int>& planes() const { return block_.planes(); }
  CellRows rows(int plane, int y) const;

 private:
  CellRow row(int plane, int y) const;

  BlockPlanes block_;
  double gamma_;
  std::shared_ptr<std::byte> memory_;
  std::unique_ptr<double[]> widened_;  // where the solver's numbers are narrower
  double* state_;
};

}  // namespace tayra
