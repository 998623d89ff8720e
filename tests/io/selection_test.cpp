// Which cells a part of the box holds.
#include "io/selection.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

TEST(Selection, HoldsCellsWhoseCentresLieOnItsEndsWhateverRoundOffSays) {
  constexpr int cells = 10;
  const Grid grid{.cells = {cells, cells, cells}, .upper = {1, 1, 1}};
  const auto centre = [](int cell) { return (2 * cell + 1) / 20.; };
  for (int first = 0; first < cells; ++first)
    for (int last = first; last < cells; ++last) {
      SnapshotSettings part;
      part.lower = Vec3{centre(first), centre(first), centre(first)};
      part.upper = Vec3{centre(last), centre(last), centre(last)};
      const AxisSelection x = select_cells(grid, part).axes[0];
      EXPECT_EQ(x.first, first) << "to " << last;
      EXPECT_EQ(x.count, last - first + 1) << "from " << first;
    }
}

}  // namespace
}  // namespace tayra
