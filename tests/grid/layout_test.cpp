// How a field lies in memory, and where the cells of the box are.
#include "grid/layout.hpp"

#include <gtest/gtest.h>

#include "grid/grid.hpp"

namespace tayra {
namespace {

TEST(Layout, AFaceOfTwoPlanesOfAllVariablesIsOneBlock) {
  const Layout layout{7, 5, 9};
  EXPECT_EQ(layout.plane_stride(), 5u * 7 * 5);
  EXPECT_EQ(layout.plane_start(-2), 0u);
  for (int z = -2; z < layout.nz + 1; ++z)
    EXPECT_EQ(layout.plane_start(z + 1) - layout.plane_start(z), layout.plane_stride());
  EXPECT_EQ(layout.plane_start(layout.nz + 2), layout.size());
}

TEST(Layout, CountsBeyondTwoToTheThirtyOne) {
  const Layout layout{1024, 1024, 1024};
  EXPECT_EQ(layout.plane_start(1024), std::size_t(5) * 1024 * 1024 * 1026);
}

TEST(Grid, OffsetsFromTheMiddleAreAntisymmetricToTheLastBit) {
  for (const int cells : {4, 7, 50}) {
    const Grid grid{.cells = {cells, cells, cells}, .lower = {0.1, -3, 2}, .upper = {0.7, 5, 2.3}};
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < cells; ++i) EXPECT_EQ(grid.offset(axis, i), -grid.offset(axis, cells - 1 - i));
  }
}

TEST(Grid, CentresAreHalfASpacingFromTheEnds) {
  const Grid grid{.cells = {8, 4, 10}, .lower = {0, 1, -1}, .upper = {2, 2, 4}};
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(grid.centre(axis, 0), grid.lower[axis] + 0.5 * grid.spacing(axis), 1e-15);
    EXPECT_NEAR(grid.centre(axis, grid.cells[axis] - 1), grid.upper[axis] - 0.5 * grid.spacing(axis), 1e-15);
  }
}

}  // namespace
}  // namespace tayra
