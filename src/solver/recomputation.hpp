// Some planes of a step, computed once more from copied planes, on a device of choice.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "solver/simulation.hpp"
#include "solver/sweep.hpp"

namespace tayra {

/// Every stage reads so many planes beyond those it computes, so a step gets as many beside an open end
/// wrong.
inline constexpr int planes_a_step_reads = stages * ghost_planes;

class Recomputation {
 public:
  virtual ~Recomputation() = default;
  virtual Device device() const = 0;
  /// Becomes the planes of the box from here on; of a periodic box they may reach beyond its ends. Ends are
  /// open where the box goes on.
  virtual void place_at(int first) = 0;
  /// In the device's memory: where the raw numbers before the step belong (Simulation::start_copy), which
  /// stay as they are.
  virtual std::byte* before() const = 0;
  /// Waits for the step to be done.
  virtual void step(double dt) = 0;
  /// Of the planes after the step.
  virtual std::vector<PlaneSums> masses() const = 0;
  /// The raw numbers of one of them.
  virtual std::vector<std::byte> after(int plane) const = 0;
};

/// Takes the memory of a slab of so many planes.
std::unique_ptr<Recomputation> make_recomputation(const SolverSettings& settings, const Problem& problem,
                                                  Device device, int planes);

}  // namespace tayra
