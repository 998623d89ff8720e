// A tally read back as sums, and one fingerprint out of those of all planes.
#include "solver/plane_sums.hpp"

namespace tayra {

PlaneSums plane_sums_of(const PlaneTally& t) {
  return {t.density,        {t.momentum_x, t.momentum_y, t.momentum_z},
          t.energy,         t.heavy_fraction,
          t.mixed_fraction, t.max_mach,
          t.max_speed_w,    t.min_density,
          t.min_pressure,   t.fingerprint};
}

std::uint64_t fingerprint_of(const std::vector<PlaneSums>& planes) {
  std::uint64_t sum = 0;
  for (const PlaneSums& plane : planes) sum = mixed(sum + plane.fingerprint);
  return sum;
}

}  // namespace tayra
