// Spectra of planes by a CPU: one plane after the other, its rows by all threads.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/plane_waves.hpp"

namespace tayra {

/// In place; `scratch` is as large.
void transform_plane(const WavePlan& plan, std::vector<Complex>& plane, std::vector<Complex>& scratch);

/// The sum of a shell's waves.
inline double shell_sum(const WavePlan& plan, const Complex* plane, int shell) {
  double sums[wave_lanes];
  for (int lane = 0; lane < wave_lanes; ++lane)
    sums[lane] =
        lane_sum(plane, plan.waves.data(), plan.first_wave[shell], plan.first_wave[shell + 1], lane, plan.nx);
  for (int half = wave_lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

/// [item][shell], not yet divided by the number of cells squared.
template <class Real>
std::vector<double> wave_sums(const PlanesView<Real>& view, const WavePlan& plan,
                              const std::vector<WaveItem>& items) {
  std::vector<Complex> plane(plan.cells()), scratch(plan.cells());
  std::vector<double> sums;
  for (const WaveItem& item : items) {
#pragma omp parallel for
    for (int y = 0; y < plan.ny; ++y)
      for (int x = 0; x < plan.nx; ++x)
        plane[static_cast<std::size_t>(y) * plan.nx + x] = fluctuation(view, item, x, y);
    transform_plane(plan, plane, scratch);
    for (int shell = 0; shell < plan.shells; ++shell) sums.push_back(shell_sum(plan, plane.data(), shell));
  }
  return sums;
}

}  // namespace tayra
