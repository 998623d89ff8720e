// By OpenMP's limit: the cores that a rank may use, divided by the ranks that may use the same ones.
#include "app/share_cores.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

#include "core/process.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

/// Alike for those that share them.
std::string told(const cpu_set_t& cores) {
  return host_name() + std::string(reinterpret_cast<const char*>(&cores), sizeof cores);
}

}  // namespace

void share_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const bool are_known = sched_getaffinity(0, sizeof cores, &cores) == 0;  // not of more than 1,024
  const std::string mine = told(cores);
  const auto all = ranks().gather_texts(mine);
  if (!are_known || std::getenv("OMP_NUM_THREADS") != nullptr) return;
  const int sharing = static_cast<int>(std::count(all.begin(), all.end(), mine));
  omp_set_num_threads(std::clamp(CPU_COUNT(&cores) / sharing, 1, omp_get_max_threads()));
}

}  // namespace tayra
