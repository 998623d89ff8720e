// What `auto` finds out about a backend, and whom it takes.
#pragma once

#include <string>
#include <vector>

namespace tayra {

/// Steps with a halo backend, as measured before the run.
struct HaloTrial {
  std::string halo;
  double step_ms;
  double exposed_ms;  // of a step, on the slab that waits longest
};

/// The fastest. Of those that are as fast within what a GPU's clocks do in a trial, the one that keeps sweeps
/// waiting least. Of at least one.
const HaloTrial& best_of(const std::vector<HaloTrial>& trials);

}  // namespace tayra
