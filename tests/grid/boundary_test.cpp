// Where ghost cells come from.
#include "grid/boundary.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

struct GhostCase {
  Boundary boundary;
  int cell;
  int source;
  bool flipped;
};

TEST(GhostSource, IsTheWrappedReflectedOrLastCell) {
  constexpr int cells = 6;
  for (const auto& [boundary, cell, source, flipped] : {GhostCase{Boundary::periodic, -2, 4, false},
                                                        {Boundary::periodic, -1, 5, false},
                                                        {Boundary::periodic, 6, 0, false},
                                                        {Boundary::periodic, 7, 1, false},
                                                        {Boundary::mirror, -2, 1, true},
                                                        {Boundary::mirror, -1, 0, true},
                                                        {Boundary::mirror, 6, 5, true},
                                                        {Boundary::mirror, 7, 4, true},
                                                        {Boundary::outflow, -2, 0, false},
                                                        {Boundary::outflow, -1, 0, false},
                                                        {Boundary::outflow, 6, 5, false},
                                                        {Boundary::outflow, 7, 5, false}}) {
    EXPECT_EQ(ghost_source(cell, cells, boundary).index, source) << int(boundary) << " " << cell;
    EXPECT_EQ(ghost_source(cell, cells, boundary).flipped, flipped) << int(boundary) << " " << cell;
  }
}

TEST(GhostSource, OfACellInsideIsItself) {
  for (const Boundary boundary : {Boundary::periodic, Boundary::mirror, Boundary::outflow})
    for (int cell = 0; cell < 4; ++cell) {
      EXPECT_EQ(ghost_source(cell, 4, boundary).index, cell);
      EXPECT_FALSE(ghost_source(cell, 4, boundary).flipped);
    }
}

}  // namespace
}  // namespace tayra
