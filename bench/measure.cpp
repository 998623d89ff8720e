// The number of calls in a sample is found by doing, which is the warm-up.
#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>

#include "grid/ranks.hpp"

namespace tayra {
namespace {

/// The same on all ranks, which start together.
double seconds_of(const std::function<void(int)>& batch, int calls) {
  ranks().gather_values(0);
  const auto start = std::chrono::steady_clock::now();
  batch(calls);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return ranks().greatest(elapsed.count());
}

/// Finds it by doing: that is the warm-up.
int calls_in_a_sample(const MeasuringPlan& plan, const std::function<void(int)>& batch) {
  constexpr int most = 20000;
  int calls = 1;
  for (double seconds = seconds_of(batch, calls); seconds < plan.sample_seconds && calls < most;
       seconds = seconds_of(batch, calls)) {
    const double wanted = 1.2 * calls * plan.sample_seconds / std::max(seconds, 1e-9);
    calls = static_cast<int>(std::clamp(wanted, calls + 1., std::min(10. * calls, 1. * most)));
  }
  return calls;
}

}  // namespace

Spread microseconds_per_call(const MeasuringPlan& plan, const std::function<void(int)>& batch) {
  const int calls = calls_in_a_sample(plan, batch);
  std::vector<double> samples;
  for (int i = 0; i < plan.repeats; ++i) samples.push_back(1e6 * seconds_of(batch, calls) / calls);
  return spread_of(samples);
}

}  // namespace tayra
