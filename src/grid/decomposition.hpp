// The box cut along z, and cells picked along an axis.
#pragma once

#include <vector>

#include "core/number.hpp"

namespace tayra {

struct SlabRange {
  int first;  // plane of the box
  int planes;
};

/// Every so many cells along an axis.
struct AxisSelection {
  int first;
  int count;
  int stride;
  TAYRA_HD int at(int i) const { return first + i * stride; }
};

/// As even as possible; the first slabs get the planes that are left over.
inline std::vector<SlabRange> cut_into_slabs(int planes, int slabs) {
  std::vector<SlabRange> ranges;
  for (int slab = 0, first = 0; slab < slabs; first += ranges[slab++].planes)
    ranges.push_back({first, planes / slabs + (slab < planes % slabs ? 1 : 0)});
  return ranges;
}

}  // namespace tayra
