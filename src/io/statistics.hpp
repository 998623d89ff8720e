// What a run measures of its flow into statistics.h5.
#pragma once

#include <span>
#include <vector>

#include "io/config.hpp"
#include "io/statistics_file.hpp"

namespace tayra {

StatisticsHead statistics_head(const Config& config, const Problem& problem);
/// The groups of the file. Without layers of two fluids there are no profiles of them.
std::vector<StatisticsGroup> statistics_groups(const Config& config, const Problem& problem);
/// The numbers of profiles as the file wants them, from Simulation::profiles().
std::vector<double> profile_numbers(std::span<const double> means, bool layered);

}  // namespace tayra
