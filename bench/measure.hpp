// How all benchmarks time a call: samples of many calls, the first ones thrown away, the slowest rank counts.
#pragma once

#include <functional>

#include "core/spread.hpp"

namespace tayra {

struct MeasuringPlan {
  int repeats = 5;               // samples that are kept
  double sample_seconds = 2e-3;  // so long at least that the clock does not count
};

/// Of one call; `batch(n)` makes n of them and waits for all. All ranks must call it together.
Spread microseconds_per_call(const MeasuringPlan& plan, const std::function<void(int)>& batch);

}  // namespace tayra
