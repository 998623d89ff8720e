// From planes of the box to planes of a file.
#include "io/shares.hpp"

namespace tayra {

Shares shares_of(const AxisSelection& z, const std::vector<SlabRange>& planes_of_ranks) {
  Shares shares;
  int next = 0;
  for (const SlabRange& here : planes_of_ranks) {
    const int first = next;
    while (next < z.count && z.at(next) < here.first + here.planes) ++next;
    shares.push_back({first, next - first});
  }
  return shares;
}

}  // namespace tayra
