// Whom `auto` takes.
#include "halo/halo_trial.hpp"

#include <algorithm>

namespace tayra {

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
