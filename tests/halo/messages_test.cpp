// Tests of how edges are cut into messages.
#include "halo/messages.hpp"

#include <gtest/gtest.h>

#include <climits>

namespace tayra {
namespace {

TEST(Messages, OfTheLargestBoxesAreCutSoThatMpiCanCountThem) {
  EXPECT_EQ(pieces_of(84'000'000, 1), 1);
  EXPECT_EQ(pieces_of(84'000'000, 4), 4);
  const std::size_t edge_of_8192_by_8192_cells = std::size_t(2) * 5 * 8192 * 8192 * 8;
  const int pieces = pieces_of(edge_of_8192_by_8192_cells, 1);
  EXPECT_LE(edge_of_8192_by_8192_cells / pieces + 1, std::size_t(INT_MAX));
}

}  // namespace
}  // namespace tayra
