// By OpenMP's limit: the machine's cores divided by its ranks.
#include "app/share_cores.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tayra {

void share_cores(int ranks_on_node) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  const int cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  omp_set_num_threads(std::clamp(cores / ranks_on_node, 1, omp_get_max_threads()));
}

}  // namespace tayra
