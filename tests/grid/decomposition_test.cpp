// The box cut along z.
#include "grid/decomposition.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tayra {
namespace {

TEST(Slabs, CoverEveryPlaneOnceInOrder) {
  for (int planes = 2; planes <= 40; ++planes)
    for (int slabs = 1; slabs <= planes / 2; ++slabs) {
      int next = 0;
      for (const SlabRange& range : cut_into_slabs(planes, slabs)) {
        EXPECT_EQ(range.first, next);
        next += range.planes;
      }
      EXPECT_EQ(next, planes);
    }
}

TEST(Slabs, DifferByOnePlaneAtMostAndTheFirstHaveMore) {
  for (int planes = 2; planes <= 40; ++planes)
    for (int slabs = 1; slabs <= planes / 2; ++slabs) {
      const auto ranges = cut_into_slabs(planes, slabs);
      EXPECT_LE(ranges.front().planes - ranges.back().planes, 1);
      EXPECT_TRUE(std::is_sorted(ranges.rbegin(), ranges.rend(), [](const auto& one, const auto& other) {
        return one.planes < other.planes;
      }));
    }
}

TEST(Slabs, HaveTwoPlanesWhereThereAreTwoForEach) {
  for (const SlabRange& range : cut_into_slabs(14, 7)) EXPECT_EQ(range.planes, 2);
}

}  // namespace
}  // namespace tayra
