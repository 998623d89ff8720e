// Which planes of a file each rank holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "grid/decomposition.hpp"
#include "grid/ranks.hpp"
#include "io/selection.hpp"

namespace tayra {

/// By rank, counted from the file's first plane.
using Shares = std::vector<SlabRange>;

/// Of a file that holds the selected planes of the box.
Shares shares_of(const AxisSelection& z, const std::vector<SlabRange>& planes_of_ranks);

inline SlabRange my_share(const Shares& shares) { return shares[ranks().rank()]; }
inline SlabRange whole(const Shares& shares) { return {0, shares.back().first + shares.back().planes}; }

/// Calls work(first, count) for blocks of this rank's planes of about `block_bytes`, at least one plane each;
/// on every rank as often as on the one that has most to do, with no planes at the end.
template <class Work>
void each_block(const Shares& shares, std::size_t plane_bytes, std::size_t block_bytes, Work work) {
  int most_planes = 0;
  for (const SlabRange& share : shares) most_planes = std::max(most_planes, share.planes);
  const int block = static_cast<int>(std::clamp<std::size_t>(block_bytes / plane_bytes, 1, most_planes));
  const auto [first, planes] = my_share(shares);
  for (int done = 0; done < most_planes; done += block)
    work(first + std::min(done, planes), std::clamp(planes - done, 0, block));
}

}  // namespace tayra
