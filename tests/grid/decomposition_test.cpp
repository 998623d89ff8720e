// The box cut along z and y.
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

TEST(SlabsSideBySide, CoverEveryRowOnceInOrderAndMeetBetweenGroupsOfRows) {
  for (const int apart : {rows_of_group, 32})
    for (int rows = apart; rows <= 15 * apart; ++rows)
      for (int cut = 1; cut <= rows / apart; ++cut) {
        int next = 0;
        for (const RowRange& range : cut_into_rows(rows, cut, apart)) {
          EXPECT_EQ(range.first, next);
          EXPECT_EQ(range.first % apart, 0);
          EXPECT_GE(range.rows, apart);
          next += range.rows;
        }
        EXPECT_EQ(next, rows);
      }
}

}  // namespace
}  // namespace tayra
