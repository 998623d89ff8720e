// Profiles and what they are profiles of.
#include "io/statistics.hpp"

#include "solver/profiles.hpp"

namespace tayra {
namespace {

/// By their numbers in the list.
std::vector<int> profiles_of(bool layered) {
  std::vector<int> numbers;
  for (int number = 0; number < profile_count; ++number)
    if (layered || !profile_facts()[number].is_of_layers) numbers.push_back(number);
  return numbers;
}

StatisticsGroup profiles_group(const Grid& grid, bool layered) {
  StatisticsGroup group{"profiles", {"z", "length", "centres of the cells along z"}, {}, {}};
  for (int z = 0; z < grid.cells[2]; ++z) group.places.push_back(grid.centre(2, z));
  for (const int number : profiles_of(layered)) {
    const auto& [name, units, meaning, is_of_layers] = profile_facts()[number];
    group.quantities.push_back({name, units, "mean over a plane: " + meaning});
  }
  return group;
}

}  // namespace

StatisticsHead statistics_head(const Config& config, const Problem& problem) {
  const Grid& grid = config.solver.grid;
  StatisticsHead head{{{"gamma", config.solver.gamma}, {"gravity", config.solver.gravity}}, config.flow_yaml};
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    head.numbers["lower_" + name] = grid.lower[axis];
    head.numbers["upper_" + name] = grid.upper[axis];
  }
  if (const auto layers = problem.layers()) {
    head.numbers["light_density"] = layers->light_density;
    head.numbers["heavy_density"] = layers->heavy_density;
    head.numbers["interface_height"] = layers->interface_height;
    head.numbers["interface_pressure"] = layers->interface_pressure;
    head.numbers["heavy_above"] = layers->heavy_above ? 1 : 0;
  }
  return head;
}

std::vector<StatisticsGroup> statistics_groups(const Config& config, const Problem& problem) {
  if (!config.statistics.are_wanted()) return {};
  return {profiles_group(config.solver.grid, problem.layers().has_value())};
}

std::vector<double> profile_numbers(std::span<const double> means, bool layered) {
  std::vector<double> numbers;
  for (const int number : profiles_of(layered))
    for (std::size_t at = number; at < means.size(); at += profile_count) numbers.push_back(means[at]);
  return numbers;
}

}  // namespace tayra
