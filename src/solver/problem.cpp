// Whether a problem starts with a gas.
#include "solver/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tayra {

bool is_gas(const Primitive& start) {
  const auto is_finite = [](double number) { return std::isfinite(number); };
  return start.density > 0 && start.pressure > 0 && is_finite(start.density) && is_finite(start.pressure) &&
         std::all_of(start.velocity.begin(), start.velocity.end(), is_finite);
}

std::string no_gas(const Primitive& start, const Grid& grid, const std::array<int, 3>& cell) {
  return fmt::format(
      "the start has density {:.6g}, velocity [{:.6g}] and pressure {:.6g} in cell [{}], at [{:.6g}]: "
      "density and "
      "pressure must be above 0, and all numbers finite",
      start.density, fmt::join(start.velocity, ", "), start.pressure, fmt::join(cell, ", "),
      fmt::join(grid.point(cell[0], cell[1], cell[2]).position, ", "));
}

}  // namespace tayra
