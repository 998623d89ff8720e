// What a run measures of its flow into statistics.h5.
#pragma once

#include <functional>
#include <vector>

#include "io/config.hpp"
#include "io/statistics_file.hpp"

namespace tayra {

StatisticsHead statistics_head(const Config& config, const Problem& problem);

/// Means over planes, which are summed when they are first asked for. All ranks ask.
class PlaneMeans {
 public:
  explicit PlaneMeans(Simulation& simulation) : simulation_(simulation) {}
  /// [plane][profile].
  const std::vector<double>& values();
  /// Of f, by plane.
  std::vector<double> heavy_fraction();

 private:
  Simulation& simulation_;
  std::vector<double> values_;
};

/// Groups of the file that get a row at the same times.
struct StatisticsPart {
  Cadence cadence;
  std::vector<StatisticsGroup> groups;
  /// Their numbers as the file wants them. On all ranks, which get the same.
  std::function<std::vector<std::vector<double>>(Simulation& simulation, PlaneMeans& means)> measure;
};
/// What the config wants: profiles, spectra, histograms.
std::vector<StatisticsPart> statistics_parts(const Config& config, const Problem& problem);
/// Of all parts, one behind the other.
std::vector<StatisticsGroup> groups_of(const std::vector<StatisticsPart>& parts);

}  // namespace tayra
