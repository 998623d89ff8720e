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
  double least = std::numeric_limits<double>::infinity();
  double most = 0;

  void include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// Density times pressure, as squares of momenta have it, and the flux of energy.
struct Magnitudes {
  Extremes density_times_pressure, pressure_times_sound;
};

Magnitudes magnitudes(const Problem& problem, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  const int stride = sampling_stride(grid);
  Magnitudes found;
  for (int z = 0; z < grid.cells[2]; z += stride)
    for (int y = 0; y < grid.cells[1]; y += stride)
      for (int x = 0; x < grid.cells[0]; x += stride) {
        const Primitive state = problem.initial(grid.point(x, y, z));
        found.density_times_pressure.include(state.density * state.pressure);
        found.pressure_times_sound.include(state.pressure * sound_speed(state, setting.gamma));
      }
  return found;
}

}  // namespace

double fastest_crossing(const Problem& problem, const ProblemSetting& setting) {
  const Grid& grid = setting.grid;
  const int stride = sampling_stride(grid);
  double fastest = 0;
#pragma omp parallel for reduction(max : fastest)
  for (int z = 0; z < grid.cells[2]; z += stride)
    for (int y = 0; y < grid.cells[1]; y += stride)
      for (int x = 0; x < grid.cells[0]; x += stride)
        fastest = std::max(fastest, crossings(problem.initial(grid.point(x, y, z)), setting));
  return fastest;
}

void require_numbers_hold(const Config& config, const Problem& problem) {
  if (config.solver.precision == Precision::double_) return;
  constexpr double least = 1e-30, most = 1e30;  // leaves room for small Mach numbers, and for shocks
  const Magnitudes found = magnitudes(problem, problem_setting(config));
  const auto require_in_range = [&](const char* what, const Extremes& range) {
    if (range.least >= least && range.most <= most) return;
    throw config_error(
        config, ExitCode::bad_input, "numerics.precision",
        fmt::format(
            "single holds no flow whose {} goes from {:.3g} to {:.3g} (at least {:.0g}, at most {:.0g}): "
            "take units in which it is nearer to 1, or double",
            what, range.least, range.most, least, most));
  };
  require_in_range("density times pressure", found.density_times_pressure);
  require_in_range("pressure times speed of sound", found.pressure_times_sound);
}

}  // namespace tayra
