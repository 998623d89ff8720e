// A simulation that stands still in a state given by a formula, for tests of what is written.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "solver/simulation.hpp"

namespace tayra {

/// Conserved values of the cell x, y, z: density, momentum x, y, z, energy.
using StateFormula = std::function<std::array<double, 5>(int x, int y, int z)>;

class FakeSimulation : public Simulation {
 public:
  FakeSimulation(const Grid& grid, double time, StateFormula state)
      : grid_(grid), time_(time), state_(std::move(state)) {}

  void advance(std::int64_t, double) override {}
  std::vector<StepRecord> finish() override { return {}; }
  double time() const override { return time_; }
  std::int64_t step() const override { return 42; }
  std::vector<PlaneSums> plane_sums() override { return {}; }
  const SimulationFacts& facts() const override { return facts_; }
  void read_planes(int first, int count, std::span<double> out) override {
    const auto [nx, ny, nz] = grid_.cells;
    std::size_t at = 0;
    for (int z = first; z < first + count; ++z)
      for (int variable = 0; variable < 5; ++variable)
        for (int y = 0; y < ny; ++y)
          for (int x = 0; x < nx; ++x) out[at++] = state_(x, y, z)[variable];
  }

 private:
  Grid grid_;
  double time_;
  StateFormula state_;
  SimulationFacts facts_;
};

}  // namespace tayra
