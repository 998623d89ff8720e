// Which blocks travel between slabs.
#include "halo/plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "grid/layout.hpp"
#include "halo/stacked.hpp"

namespace tayra {
namespace {

using Block = std::pair<int, std::size_t>;  // slab and offset

TEST(ExchangePlan, AFaceIsTwoLayersOfFiveVariables) {
  const Layout layout{16, 16, 8};
  const auto plan = plan_of_stacked({8, 8}, layout.plane_stride() * sizeof(float), false);
  ASSERT_EQ(plan.moves.size(), 2u);
  for (const Move& move : plan.moves)
    EXPECT_EQ(move.bytes, 10'240u);  // 2 layers x 5 variables x 16 x 16 floats
  EXPECT_EQ(plan.bytes(), 20'480u);
}

TEST(ExchangePlan, AnUpperNeighbourGetsTheTopPlanesAndALowerOneTheBottomPlanes) {
  // Planes of one byte: offset 2 is plane 0, and a slab of 5 has its ghosts at 0, 1 and 7, 8.
  const auto plan = plan_of_stacked({5, 4}, 1, false);
  std::map<Block, Block> source_of;
  for (const Move& move : plan.moves)
    source_of[{move.destination_slab, move.destination_offset}] = {move.source_slab, move.source_offset};
  EXPECT_EQ(source_of, (std::map<Block, Block>{{{1, 0}, {0, 5}}, {{0, 7}, {1, 2}}}));
}

TEST(ExchangePlan, EveryGhostBlockThatHasANeighbourIsFilledOnce) {
  for (const bool periodic : {false, true})
    for (const std::vector<int>& planes : {std::vector{2, 2}, {5, 4, 4}, {3, 2, 2, 2, 2, 2, 2}}) {
      const int slabs = int(planes.size());
      std::map<Block, int> fills;
      for (const Move& move : plan_of_stacked(planes, 1, periodic).moves)
        ++fills[{move.destination_slab, move.destination_offset}];
      std::map<Block, int> expected;
      for (int slab = 0; slab < slabs; ++slab) {
        if (slab > 0 || periodic) expected[{slab, 0}] = 1;
        if (slab < slabs - 1 || periodic) expected[{slab, 2 + planes[slab]}] = 1;
      }
      EXPECT_EQ(fills, expected);
    }
}

TEST(ExchangePlan, TwoPeriodicSlabsAreEachOthersNeighbourTwice) {
  EXPECT_EQ(plan_of_stacked({4, 4}, 100, true).bytes(), 4u * 200);
}

TEST(ExchangePlan, ASlabAloneNeedsNoExchange) {
  EXPECT_TRUE(plan_of_stacked({8}, 100, true).moves.empty());
  EXPECT_EQ(plan_of_stacked({8}, 100, false).bytes(), 0u);
}

}  // namespace
}  // namespace tayra
