// One fingerprint out of those of all planes.
#include "solver/plane_sums.hpp"

#include "solver/cell_sums.hpp"

namespace tayra {

std::uint64_t fingerprint_of(const std::vector<PlaneSums>& planes) {
  std::uint64_t sum = 0;
  for (const PlaneSums& plane : planes) sum = mixed(sum + plane.fingerprint);
  return sum;
}

}  // namespace tayra
