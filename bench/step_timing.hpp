// How long a step takes: cases of `tayra bench step`, `scaling` and `halo`.
#pragma once

#include <functional>

#include "bench/results.hpp"
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

/// Of a simulation made for these settings.
StepTiming time_steps(Simulation& simulation, const SolverSettings& settings, const StepTimingPlan& plan);

/// Warms up, then times a smooth flow that moves. Throws Error(failed) if it stops being a flow or stands
/// still.
StepTiming time_steps(const SolverSettings& settings, const StepTimingPlan& plan);

/// Empty where the case fits on all ranks, which must call it together.
std::string why_too_large(const SolverSettings& settings);

using Cases = std::vector<SolverSettings>;

/// Each case once with every value: the last list that cases are varied by changes fastest.
template <class Values, class Set>
Cases varied(const Cases& cases, const Values& values, const Set& set) {
  Cases all;
  for (const SolverSettings& settings : cases)
    for (const auto& value : values) set(all.emplace_back(settings), value);
  return all;
}

/// Times those that are not there yet and can be had here: `row_of` a case is what `add_found` adds its times
/// to.
void time_cases(const Cases& cases, const StepTimingPlan& plan, Results& results,
                const std::function<Row(const SolverSettings&)>& row_of,
                const std::function<void(Row&, const StepTiming&)>& add_found);

/// "64x64x128"
std::string grid_text(const Grid& grid);
Json cells_of(const Grid& grid);

}  // namespace tayra
