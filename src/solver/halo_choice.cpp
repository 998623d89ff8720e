// Samples of steps, the backends that take them, and whom `auto` takes.
#include "solver/halo_choice.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/spread.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

TrialTime sample_of_steps(Simulation& simulation, int steps) {
  const auto start = std::chrono::steady_clock::now();
  simulation.advance(steps, HUGE_VAL);
  const std::vector<StepRecord> records = simulation.finish();
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  double exposed_ms = 0;
  for (const StepRecord& record : records) exposed_ms += longest(record).exposed_ms;
  return {spent.count() / steps, exposed_ms / steps};
}

}  // namespace

TrialTime time_of_steps(Simulation& simulation) {
  constexpr double sample_seconds = 0.03;
  constexpr int samples_wanted = 5;
  sample_of_steps(simulation, 2);
  const int steps = static_cast<int>(ranks().from_first(
      std::clamp(1e3 * sample_seconds / sample_of_steps(simulation, 1).step_ms, 1., 100.)));
  std::vector<double> step_ms, exposed_ms;
  for (int i = 0; i < samples_wanted; ++i) {
    const TrialTime sample = sample_of_steps(simulation, steps);
    step_ms.push_back(sample.step_ms);
    exposed_ms.push_back(sample.exposed_ms);
  }
  TrialTime slowest{0, 0};
  for (const TrialTime& rank :
       ranks().gather_values(TrialTime{spread_of(step_ms).median, spread_of(exposed_ms).median}))
    slowest = {std::max(slowest.step_ms, rank.step_ms), std::max(slowest.exposed_ms, rank.exposed_ms)};
  return slowest;
}

std::vector<HaloTrial> try_halos(const std::vector<const HaloBackend*>& candidates,
                                 const std::function<void(const HaloBackend&)>& use,
                                 const std::function<TrialTime()>& time) {
  std::vector<HaloTrial> trials;
  std::string failures;
  for (const HaloBackend* candidate : candidates) {
    try {
      use(*candidate);
      const auto [step_ms, exposed_ms] = time();
      trials.push_back({candidate->name, step_ms, exposed_ms});
    } catch (const Error& error) {
      // What it lacks showed only now, to all ranks; any other failure may be one rank's own.
      const bool to_all = error.code() == ExitCode::unavailable || ranks().size() == 1;
      if (error.code() == ExitCode::lost || !to_all) throw;
      failures += "\n  " + candidate->name + ": " + error.what();
    }
  }
  require(!trials.empty(), ExitCode::unavailable,
          "none of the halo backends that seemed to be there works:" + failures);
  return trials;
}

const HaloTrial& best_of(const std::vector<HaloTrial>& trials) {
  constexpr double as_fast = 1.01;  // 1.02 let in what took up to 6 % longer
  const auto least = [](auto key) {
    return [key](const HaloTrial& a, const HaloTrial& b) { return a.*key < b.*key; };
  };
  const double fastest = std::min_element(trials.begin(), trials.end(), least(&HaloTrial::step_ms))->step_ms;
  const HaloTrial* best = nullptr;
  for (const HaloTrial& trial : trials)
    if (trial.step_ms <= as_fast * fastest && (best == nullptr || trial.exposed_ms < best->exposed_ms))
      best = &trial;
  return *best;
}

}  // namespace tayra
