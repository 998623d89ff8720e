// What is wrong with a cell that stopped being a gas, and what surrounds it.
#pragma once

#include <string>

#include "solver/simulation.hpp"

namespace tayra {

/// `record` names the cell. Several lines, the first of them a sentence.
std::string describe_bad_cell(Simulation& simulation, const SolverSettings& settings,
                              const StepRecord& record);

}  // namespace tayra
