// What diagnostics.csv would say of planes, by column.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/diagnostics_log.hpp"

namespace tayra {

using Numbers = std::map<std::string, double>;

inline Numbers numbers_of(const std::vector<PlaneSums>& planes, const Grid& grid,
                          const std::optional<Layers>& layers, double gravity = -1) {
  Numbers numbers;
  for (const auto& column : diagnostics_columns(layers.has_value()))
    numbers[column.name] = column.value({grid, gravity, layers, planes});
  return numbers;
}

}  // namespace tayra
