// How long a step takes: one case of `tayra bench step`, `scaling` or `halo`.
#pragma once

#include "core/spread.hpp"
#include "solver/simulation.hpp"

namespace tayra {

struct StepTimingPlan {
  int steps;    // in a sample
  int repeats;  // samples
};

struct StepTiming {
  SolverSettings settings;
  Spread milliseconds;           // of a step
  SlabTimes times;               // medians, of the slab that takes longest
  std::uint64_t bytes_sent = 0;  // in a step
  double change;                 // of the flow from the first step to the last, as a share: small
  std::string halo;              // that ran

  double cell_steps_per_second() const;
  double bytes_per_second() const;  // of the least traffic that a step can have
};

/// What one step must read and write of a cell: 10 words in the first stage, 15 in each of the others.
int bytes_per_cell_step(Precision precision);

/// Of a simulation made for these settings, the first rank's.
StepTiming time_steps(Simulation& simulation, const SolverSettings& settings, const StepTimingPlan& plan);

/// Warms up, then times a smooth flow that moves. Throws Error(failed) if it stops being a flow or stands
/// still.
StepTiming time_steps(const SolverSettings& settings, const StepTimingPlan& plan);

}  // namespace tayra
