// Time, step length and health of a run. Every slab keeps a clock of its own where its fields live, so that
// no step waits for the host; the clocks agree to the last bit, because they merge the same reports.
#pragma once

#include <cstdint>

#include "core/number.hpp"

namespace tayra {

inline constexpr std::int64_t no_cell = INT64_MAX;

/// What a slab finds out in a step.
struct SlabReport {
  double signal_rate = 0;                // max over its cells, from the last stage
  std::int64_t bad_cell = no_cell;       // first cell that is not a gas any more
  unsigned long long limited_faces = 0;  // faces that the positivity limiter touched
};

TAYRA_HD void merge(SlabReport& sum, const SlabReport& part) {
  sum.signal_rate = maximum(sum.signal_rate, part.signal_rate);
  if (part.bad_cell < sum.bad_cell) sum.bad_cell = part.bad_cell;
  sum.limited_faces += part.limited_faces;
}

struct StepClock {
  double time = 0;
  double dt = 0;     // of the step to come; zero: it does nothing
  double until = 0;  // the time at which steps stop, exactly
  double cfl = 0;
  double fixed_dt = 0;  // zero: from the CFL number
  std::int64_t step = 0;
  SlabReport last;        // of the whole box, from the last step
  SlabReport found;       // of this slab, in the step under way
  unsigned turn = 0;      // steps that it has ended, those that do nothing included
  bool given_up = false;  // a slab's report has not come: no step does anything any more
};

/// The length of the step to come. The last two steps before `until` share what is left, so that none is
/// tiny.
TAYRA_HD void plan_step(StepClock& clock) {
  const double left = clock.until - clock.time;
  const bool fixed = clock.fixed_dt > 0;
  const double wanted = fixed ? clock.fixed_dt : clock.cfl / clock.last.signal_rate;
  const bool able = !clock.given_up && left > 0 && clock.last.bad_cell == no_cell && wanted > 0;
  if (!able)
    clock.dt = 0;
  else if (wanted * (1 + 1e-9) >= left)
    clock.dt = left;
  else
    clock.dt = !fixed && 2 * wanted > left ? 0.5 * left : wanted;
}

/// The step under way does not count, and none follows.
TAYRA_HD void give_up(StepClock& clock) {
  clock.given_up = true;
  clock.dt = 0;
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
  ++clock.turn;
  plan_step(clock);
  return {clock.time, dt, clock.step, clock.last};
}

/// Rows with a place for every slab, in memory that their devices reach. Two rows take turns, so that a slab
/// may post while another still reads the last one; where none can, one row is enough.
struct Mailbox {
  SlabReport* reports;
  int places;
  int rows = 2;

  TAYRA_HD SlabReport* row(unsigned turn) const { return reports + (turn % rows) * places; }
};

TAYRA_HD void post_report(const StepClock& clock, const Mailbox& mailbox, int place) {
  mailbox.row(clock.turn)[place] = clock.found;
}

/// Of every `stride`th place from `first` on.
TAYRA_HD SlabReport sum_reports(const Mailbox& mailbox, unsigned turn, int first = 0, int stride = 1) {
  SlabReport sum;
  for (int place = first; place < mailbox.places; place += stride) {
    const volatile SlabReport& posted = mailbox.row(turn)[place];  // another device has just written it
    merge(sum, {posted.signal_rate, posted.bad_cell, posted.limited_faces});
  }
  return sum;
}

}  // namespace tayra
