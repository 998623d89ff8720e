// diagnostics.csv: what must stay the same (mass, momentum, energy) and how the mixing layer grows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "solver/problem.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// What a row is made of: the box, sums over its planes, and the layers of two fluids if there are any.
struct BoxState {
  Grid grid;
  double gravity = 0;  // now
  std::optional<Layers> layers = {};
  std::span<const PlaneSums> planes = {};
  std::uint64_t limited_faces = 0;              // since the last row
  std::optional<double> potential_energy = {};  // by the books of gravity that varies
};

/// A column behind step and time. All are listed in diagnostics_log.cpp.
struct DiagnosticsColumn {
  const char* name;
  double (*value)(const BoxState& box);
  int digits = 17;
};

/// Those of the layers, whichever fluid lies above, stand last. Heights count from the initial interface and
/// are positive; a fluid that has reached the wall has the wall's distance. Gravity has a column where it
/// varies.
std::vector<DiagnosticsColumn> diagnostics_columns(bool layered, bool gravity_varies = false);

std::string diagnostics_header(bool layered, bool gravity_varies = false);
std::string diagnostics_row(std::int64_t step, double time, const BoxState& box);

}  // namespace tayra
