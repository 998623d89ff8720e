// How `auto` comes to know which halo backend is the fastest: each takes some steps.
#pragma once

#include <functional>
#include <vector>

#include "halo/transport.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Of a step, on the slowest rank.
struct TrialTime {
  double step_ms, exposed_ms;
};

/// Of steps that the simulation takes for it.
TrialTime time_of_steps(Simulation& simulation);

/// `use` puts a backend to work; where it turns out that one can't be had, it is left out. `time` is that of
/// steps with the one in use. At least one trial.
std::vector<HaloTrial> try_halos(const std::vector<const HaloBackend*>& candidates,
                                 const std::function<void(const HaloBackend&)>& use,
                                 const std::function<TrialTime()>& time);

/// The fastest. Of those that are as fast within what a GPU's clocks do in a trial, the one that keeps sweeps
/// waiting least. Of at least one.
const HaloTrial& best_of(const std::vector<HaloTrial>& trials);

}  // namespace tayra
