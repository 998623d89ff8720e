// What a run will take, judged by its start.
#pragma once

#include <string>

#include "io/config.hpp"
#include "solver/problem.hpp"

namespace tayra {

/// The largest sum over the axes of (|u| + c) / Δ in the initial state, from at most a million of its cells.
double fastest_crossing(const Problem& problem, const ProblemSetting& setting);

/// Of the first step.
double first_dt(const Config& config, const Problem& problem);

/// Throws Error(bad_input) where the box, products of what the flow starts with, or the number of steps leave
/// the range of the run's numbers.
void require_numbers_hold(const Config& config, const Problem& problem);

/// That the start will fall, and what to do; empty where pressure carries the gas's weight or nothing pulls
/// it.
std::string doubt_about_balance(const Problem& problem, const ProblemSetting& setting);

/// Why diagnostics can hardly tell a problem's fluids apart, and what to do; empty where they can.
std::string doubt_about_mixing(const Problem& problem);

}  // namespace tayra
