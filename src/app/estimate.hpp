// What a run will take, judged by its start.
#pragma once

#include "solver/problem.hpp"

namespace tayra {

/// The largest sum over the axes of (|u| + c) / Δ in the initial state, from at most a million of its cells.
double fastest_crossing(const Problem& problem, const ProblemSetting& setting);

}  // namespace tayra
