// The conserved state of some planes, read out of a simulation for fields to be computed from.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "io/snapshot_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

class StateBlock {
 public:
  /// `planes`: of the box, ascending. With neighbours, those above and below each are read too.
  StateBlock(Simulation& simulation, const Grid& grid, double gamma, std::vector<int> planes, Needs needs);

  const std::vector<int>& planes() const { return planes_; }
  CellRows rows(int plane, int y) const;

 private:
  CellRow row(int plane, int y) const;

  Grid grid_;
  double gamma_;
  Needs needs_;
  std::vector<int> planes_;
  std::vector<int> held_;  // ascending
  std::unique_ptr<double[]> state_;
};

/// Memory that a block of so many planes side by side takes.
std::size_t state_bytes(const Grid& grid, int planes, Needs needs);

}  // namespace tayra
