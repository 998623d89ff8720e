// Slabs of equal height; what is left over makes the first ones a plane higher.
#include "grid/decomposition.hpp"

namespace tayra {

std::vector<SlabRange> cut_into_slabs(int planes, int slabs) {
  std::vector<SlabRange> ranges;
  int first = 0;
  for (int slab = 0; slab < slabs; ++slab) {
    const int count = planes / slabs + (slab < planes % slabs ? 1 : 0);
    ranges.push_back({first, count});
    first += count;
  }
  return ranges;
}

}  // namespace tayra
