// Which cells a part of the box holds.
#include <gtest/gtest.h>

#include "io/snapshot_file.hpp"

namespace tayra {
namespace {

TEST(Selection, HoldsCellsWhoseCentresLieOnItsEndsWhateverRoundOffSays) {
  for (const int cells : {10, 49, 98}) {
    const Grid grid{.cells = {cells, cells, cells}, .upper = {1, 1, 1}};
    const auto centre = [&](int cell) { return (2 * cell + 1) / (2. * cells); };
    for (int first = 0; first < cells; ++first)
      for (int last = first; last < cells; ++last) {
        SnapshotSettings part;
        part.lower = Vec3{centre(first), centre(first), centre(first)};
        part.upper = Vec3{centre(last), centre(last), centre(last)};
        const AxisSelection x = select_cells(grid, part)[0];
        EXPECT_EQ(x.first, first) << "to " << last << " of " << cells;
        EXPECT_EQ(x.count, last - first + 1) << "from " << first << " of " << cells;
      }
  }
}

TEST(Selection, BetweenTwoCentresHoldsTheCellOfItsMiddle) {
  const Grid grid{.cells = {10, 10, 10}, .upper = {1, 1, 1}};
  SnapshotSettings part;
  part.lower = Vec3{0.18, 0.16, 0.99};
  part.upper = Vec3{0.24, 0.22, 1};
  const auto axes = select_cells(grid, part);
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(axes[axis].count, 1);
  EXPECT_EQ(axes[0].first, 2);
  EXPECT_EQ(axes[1].first, 1);
  EXPECT_EQ(axes[2].first, 9);
}

}  // namespace
}  // namespace tayra
