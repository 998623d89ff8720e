// What problems are asked, and whether they start with a gas.
#include "solver/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tayra {

std::optional<int> ProblemSetting::scalar(const std::string& name) const {
  const auto found = std::find(scalars.begin(), scalars.end(), name);
  if (found == scalars.end()) return std::nullopt;
  return static_cast<int>(found - scalars.begin());
}

bool is_gas(const Primitive& start) {
  const auto is_finite = [](double number) { return std::isfinite(number); };
  return start.density > 0 && start.pressure > 0 && is_finite(start.density) && is_finite(start.pressure) &&
         std::all_of(start.velocity.begin(), start.velocity.end(), is_finite) &&
         std::all_of(start.scalars.begin(), start.scalars.end(), [](double s) { return s >= 0 && s <= 1; });
}

std::string no_gas(const Primitive& start, const Grid& grid, const std::array<int, 3>& cell) {
  const auto wrong =
      std::find_if_not(start.scalars.begin(), start.scalars.end(), [](double s) { return s >= 0 && s <= 1; });
  if (wrong != start.scalars.end())
    return fmt::format(
        "the start has {:.6g} of the {}. of physics.scalars in cell [{}], at [{:.6g}]: a mass fraction lies "
        "between 0 and 1",
        *wrong, wrong - start.scalars.begin() + 1, fmt::join(cell, ", "),
        fmt::join(grid.point(cell[0], cell[1], cell[2]).position, ", "));
  return fmt::format(
      "the start has density {:.6g}, velocity [{:.6g}] and pressure {:.6g} in cell [{}], at [{:.6g}]: "
      "density and "
      "pressure must be above 0, and all numbers finite",
      start.density, fmt::join(start.velocity, ", "), start.pressure, fmt::join(cell, ", "),
      fmt::join(grid.point(cell[0], cell[1], cell[2]).position, ", "));
}

}  // namespace tayra
