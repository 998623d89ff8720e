// Time, step length and health of a run. Every slab keeps a clock of its own where its fields live, so that
// no step waits for the host; the clocks agree to the last bit, because they merge the same reports.
#pragma once

#include <cstdint>

#include "core/number.hpp"
#include "halo/report.hpp"

namespace tayra {

struct StepClock {
  double time = 0;
  double dt = 0;     // of the step to come; zero: it does nothing
  double until = 0;  // the time at which steps stop, exactly
  double cfl = 0;
  double fixed_dt = 0;  // zero: from the CFL number
  std::int64_t step = 0;
  SlabReport last;     // of the whole box, from the last step
  SlabReport found;    // of this slab, in the step under way
  unsigned epoch = 0;  // steps that it has ended, those that do nothing included
};

/// The length of the step to come. The last two steps before `until` share what is left, so that none is
/// tiny.
TAYRA_HD void plan_step(StepClock& clock) {
  const double left = clock.until - clock.time;
  const bool fixed = clock.fixed_dt > 0;
  const double wanted = fixed ? clock.fixed_dt : clock.cfl / clock.last.signal_rate;
  const bool able = left > 0 && clock.last.bad_cell == no_cell && wanted > 0;
  if (!able)
    clock.dt = 0;
  else if (wanted * (1 + 1e-9) >= left)
    clock.dt = left;
  else
    clock.dt = !fixed && 2 * wanted > left ? 0.5 * left : wanted;
}

/// A step as it went.
struct StepNote {
  double time;  // after it
  double dt;    // zero: nothing was done
  std::int64_t step;
  SlabReport report;  // of the whole box
};

/// Ends a step, of whose slabs `report` is the sum, and plans the next one.
TAYRA_HD StepNote end_step(StepClock& clock, const SlabReport& report) {
  const double dt = clock.dt;
  if (dt > 0) {
    clock.time = dt == clock.until - clock.time ? clock.until : clock.time + dt;
    ++clock.step;
    clock.last = report;
  }
  clock.found = SlabReport();
  ++clock.epoch;
  plan_step(clock);
  return {clock.time, dt, clock.step, clock.last};
}

TAYRA_HD void publish(const StepClock& clock, const ReportTable& table, int place) {
  table.row(clock.epoch)[place] = clock.found;
}

}  // namespace tayra
