// Time, step length and health of a run. It lives where the fields live, so that no step waits for the host.
#pragma once

#include <cstdint>

#include "core/number.hpp"

namespace tayra {

inline constexpr std::int64_t no_cell = INT64_MAX;

struct Clock {
  double time = 0;
  double dt = 0;     // of the step under way; zero: the step does nothing
  double until = 0;  // the time at which steps stop, exactly
  double cfl = 0;
  double fixed_dt = 0;  // zero: from the CFL number
  std::int64_t step = 0;
  double signal_rate = 0;                // max over the box, from the last stage
  std::int64_t bad_cell = no_cell;       // first cell that is not a gas any more
  unsigned long long limited_faces = 0;  // in the step under way
};

/// Before a step: its length. The last two steps before `until` share what is left, so that none is tiny.
TAYRA_HD void start_step(Clock& clock) {
  const double left = clock.until - clock.time;
  const bool fixed = clock.fixed_dt > 0;
  const double wanted = fixed ? clock.fixed_dt : clock.cfl / clock.signal_rate;
  const bool able = left > 0 && clock.bad_cell == no_cell && wanted > 0;
  if (!able)
    clock.dt = 0;
  else if (wanted * (1 + 1e-9) >= left)
    clock.dt = left;
  else
    clock.dt = !fixed && 2 * wanted > left ? 0.5 * left : wanted;
  if (able) clock.signal_rate = 0;
  clock.limited_faces = 0;
}

/// After a step that did something.
TAYRA_HD void end_step(Clock& clock) {
  clock.time = clock.dt == clock.until - clock.time ? clock.until : clock.time + clock.dt;
  ++clock.step;
}

}  // namespace tayra
