// Planes in blocks that fit into memory beside the fields.
#pragma once

#include <algorithm>
#include <cstddef>

#include "grid/decomposition.hpp"

namespace tayra {

/// Calls work(first, count) for blocks of whole planes of about `block_bytes`, at least one plane each.
template <class Work>
void each_block(const SlabRange& planes, std::size_t plane_bytes, std::size_t block_bytes, Work work) {
  const int most = static_cast<int>(std::clamp<std::size_t>(block_bytes / plane_bytes, 1, planes.planes));
  const int end = planes.first + planes.planes;
  for (int first = planes.first; first < end; first += most) work(first, std::min(most, end - first));
}

}  // namespace tayra
