// The box cut along z.
#pragma once

#include <vector>

namespace tayra {

struct SlabRange {
  int first;  // plane of the box
  int planes;
};

/// As even as possible; the first slabs get the planes that are left over.
std::vector<SlabRange> cut_into_slabs(int planes, int slabs);

}  // namespace tayra
