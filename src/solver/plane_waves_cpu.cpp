// In a file of its own, for the way in which it has to be compiled: see CMakeLists.txt.
#include "solver/plane_waves_cpu.hpp"

#include <utility>

namespace tayra {

void transform_plane(const WavePlan& plan, std::vector<Complex>& plane, std::vector<Complex>& scratch) {
  const std::size_t nx = plan.nx;
  for (const WavePass& pass : plan.passes) {
    const int columns = plan.columns(pass);
#pragma omp parallel for
    for (int y = 0; y < plan.ny; ++y)
      for (int x = 0; x < columns; ++x)
        scratch[y * nx + x] = pass.along_y ? pass.value(plan.turns.data(), plane.data() + x, nx, y)
                                           : pass.value(plan.turns.data(), plane.data() + y * nx, 1, x);
    std::swap(plane, scratch);
  }
}

}  // namespace tayra
