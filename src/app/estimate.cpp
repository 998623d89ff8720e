// Samples the start on the CPU.
#include "app/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace tayra {
namespace {

int sampling_stride(const Grid& grid) {
  constexpr double most_points = 1e6;
  const double cells = grid.cell_count();
  return std::max(1, static_cast<int>(std::ceil(std::cbrt(cells / most_points))));
}

double crossings(const Primitive& state, const ProblemSetting& setting) {
  const double sound = std::sqrt(setting.gamma * state.pressure / state.density);
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += (std::abs(state.velocity[axis]) + sound) / setting.grid.spacing(axis);
  return sum;
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

}  // namespace tayra
