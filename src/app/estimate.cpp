// Samples the start on the CPU.
#include "app/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tayra {
namespace {

int sampling_stride(const Grid& grid) {
  constexpr double most_points = 1e6;
  const double cells = grid.cell_count();
  return std::max(1, static_cast<int>(std::ceil(std::cbrt(cells / most_points))));
}

double sound_speed(const Primitive& state, double gamma) {
  return std::sqrt(gamma * state.pressure / state.density);
}

double crossings(const Primitive& state, const ProblemSetting& setting) {
  const double sound = sound_speed(state, setting.gamma);
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += (std::abs(state.velocity[axis]) + sound) / setting.grid.spacing(axis);
  return sum;
}

struct Extremes {
  double least, most;
};

/// Of a number in all cells that are looked at.
template <class Number>
Extremes extremes(const Problem& problem, const Grid& grid, Number number_in) {
  const int stride = sampling_stride(grid);
  double least = std::numeric_limits<double>::infinity(), most = 0;
#pragma omp parallel for reduction(min : least) reduction(max : most)
  for (int z = 0; z < grid.cells[2]; z += stride)
    for (int y = 0; y < grid.cells[1]; y += stride)
      for (int x = 0; x < grid.cells[0]; x += stride) {
        const double number = number_in(problem.initial(grid.point(x, y, z)));
        least = std::min(least, number);
        most = std::max(most, number);
      }
  return {least, most};
}

}  // namespace

double fastest_crossing(const Problem& problem, const ProblemSetting& setting) {
  return extremes(problem, setting.grid, [&](const Primitive& gas) { return crossings(gas, setting); }).most;
}

void require_numbers_hold(const Config& config, const Problem& problem) {
  if (config.solver.precision == Precision::double_) return;
  constexpr double least = 1e-30, most = 1e30;  // leaves room for small Mach numbers, and for shocks
  const auto require_in_range = [&](const char* what, auto number) {
    const Extremes range = extremes(problem, config.solver.grid, number);
    if (range.least >= least && range.most <= most) return;
    throw config_error(
        config, ExitCode::bad_input, "numerics.precision",
        fmt::format(
            "single holds no flow whose {} goes from {:.3g} to {:.3g} (at least {:.0g}, at most {:.0g}): "
            "take units in which it is nearer to 1, or double",
            what, range.least, range.most, least, most));
  };
  // The square of a momentum at the speed of sound, and the flux of energy.
  require_in_range("density times pressure", [](const Primitive& gas) { return gas.density * gas.pressure; });
  require_in_range("pressure times speed of sound", [&](const Primitive& gas) {
    return gas.pressure * sound_speed(gas, config.solver.gamma);
  });
}

}  // namespace tayra
