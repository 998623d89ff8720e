// Which blocks travel between slabs.
#include "halo/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// Two layers of two slabs with 3 planes of 4 and 5 rows, 10 bytes each, of one variable.
std::vector<PlannedSlab> two_by_two() {
  const auto slab = [](int rows) { return PlannedSlab{3, std::size_t(10) * (rows + 4), rows, 10, 1}; };
  return {slab(4), slab(5), slab(4), slab(5)};
}

TEST(ExchangePlan, SlabsSideBySideGiveEachOtherTwoRowsOfEveryPlane) {
  const ExchangePlan plan = make_exchange_plan(two_by_two(), 2, false, false);
  ASSERT_EQ(plan.row_moves.size(), 4u);
  const Move &up = plan.row_moves[0], &down = plan.row_moves[1];
  EXPECT_EQ((std::pair{up.source_slab, up.destination_slab}), (std::pair{0, 1}));
  EXPECT_EQ((std::pair{down.source_slab, down.destination_slab}), (std::pair{1, 0}));
  EXPECT_EQ(up.source_offset, 2u * 80 + 10 * 4)
      << "behind two ghost planes of 8 rows, the last two of 2 + 4 rows";
  EXPECT_EQ(up.destination_offset, 2u * 90);
  EXPECT_EQ(down.source_offset, 2u * 90 + 10 * 2);
  EXPECT_EQ(down.destination_offset, 2u * 80 + 10 * 6);
  for (const Move& move : plan.row_moves) {
    EXPECT_EQ(move.bytes, 20u);
    EXPECT_EQ(move.pieces, 3u);
    EXPECT_EQ(move.source_apart, move.source_slab % 2 == 0 ? 80u : 90u);
    EXPECT_EQ(move.destination_apart, move.destination_slab % 2 == 0 ? 80u : 90u);
  }
  EXPECT_EQ(plan.bytes(), 4u * 3 * 20 + 2 * 2 * (80 + 90));
}

/// The same slabs, each on a rank of its own.
ExchangePlan plan_of_ranks() {
  auto slabs = two_by_two();
  for (std::size_t slab = 0; slab < slabs.size(); ++slab) slabs[slab].rank = static_cast<int>(slab);
  return make_exchange_plan(slabs, 2, false, false);
}

TEST(ExchangePlan, RowsToAnotherRankTravelInABlockBehindTheField) {
  const ExchangePlan plan = plan_of_ranks();
  EXPECT_EQ(plan.bytes(), make_exchange_plan(two_by_two(), 2, false, false).bytes());
  ASSERT_EQ(plan.row_moves.size(), 4u);
  ASSERT_EQ(plan.packed.size(), 4u);
  ASSERT_EQ(plan.unpacked.size(), 4u);
  for (std::size_t i = 0; i < plan.packed.size(); ++i) {
    const Move &packed = plan.packed[i], &unpacked = plan.unpacked[i], &whole = plan.row_moves[i];
    const auto block = std::find_if(plan.moves.begin(), plan.moves.end(), [&](const Move& move) {
      return move.source_slab == packed.source_slab && move.source_offset == packed.destination_offset;
    });
    ASSERT_NE(block, plan.moves.end());
    EXPECT_GE(packed.destination_offset, 7 * two_by_two()[packed.source_slab].plane_bytes)
        << "behind its planes";
    EXPECT_EQ(block->bytes, 3u * 20);
    EXPECT_EQ(block->destination_slab, whole.destination_slab);
    EXPECT_EQ(block->destination_offset, unpacked.source_offset);
    EXPECT_EQ(packed.source_offset, whole.source_offset);
    EXPECT_EQ(unpacked.destination_slab, whole.destination_slab);
    EXPECT_EQ(unpacked.destination_offset, whole.destination_offset);
  }
}

TEST(ExchangePlan, WithoutBlocksOfRowsIsTheSameWhateverRanksTheSlabsAreOn) {
  const ExchangePlan one = make_exchange_plan(two_by_two(), 2, false, false).without_blocks_of_rows();
  // Of a rank's own plan, too: it stores into ghosts of others.
  const ExchangePlan several = plan_of_ranks().of_rank({0, 1, 2, 3}, 0).without_blocks_of_rows();
  EXPECT_TRUE(several.row_moves.empty() && several.packed.empty() && several.unpacked.empty());
  EXPECT_EQ(one.moves.size(), 8u);
  EXPECT_EQ(several.moves.size(), 4u) << "those to and from slabs 1 and 2";
  for (const Move& move : several.moves) {
    const auto same = std::find_if(one.moves.begin(), one.moves.end(), [&](const Move& other) {
      return other.source_slab == move.source_slab && other.edge == move.edge;
    });
    ASSERT_NE(same, one.moves.end());
    EXPECT_EQ(move.destination_slab, same->destination_slab);
    EXPECT_EQ(move.destination_offset, same->destination_offset);
    EXPECT_EQ(move.destination_apart, same->destination_apart);
    EXPECT_EQ(move.bytes * move.pieces, same->bytes * same->pieces);
  }
}

TEST(ExchangePlan, OfARankHasWhatStartsOrEndsThereUnderTheNumbersThatAllKnow) {
  const ExchangePlan plan = plan_of_stacked({4, 4, 4}, 100, false);
  const ExchangePlan own = plan.of_rank({0, 1, 2}, 2);
  ASSERT_EQ(own.moves.size(), 2u);
  EXPECT_EQ(own.moves[0].number, 2);
  EXPECT_EQ(own.moves[1].number, 3);
}

TEST(ExchangePlan, OfLayersGoesFromASlabToTheOneAboveIt) {
  for (const Move& move : make_exchange_plan(two_by_two(), 2, false, false).moves)
    EXPECT_EQ(std::abs(move.source_slab - move.destination_slab), 2);
}

TEST(ExchangePlan, APeriodicAxisJoinsTheLastSlabSideBySideToTheFirst) {
  EXPECT_EQ(make_exchange_plan(two_by_two(), 2, false, true).row_moves.size(), 8u);
}

}  // namespace
}  // namespace tayra
