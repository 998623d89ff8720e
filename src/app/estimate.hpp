// What a run will take, judged by its start.
#pragma once

#include <string>
#include <utility>
#include <vector>

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

/// What is doubtful about a start and what to do, each with a word that says what it is about: gas that will
/// fall, and diagnostics that can hardly tell the fluids apart.
std::vector<std::pair<std::string, std::string>> doubts_about(const Config& config, const Problem& problem);
/// Whether layers convect by themselves, and what would keep them from it; else empty.
std::string doubt_about_layers(const Problem& problem);

}  // namespace tayra
