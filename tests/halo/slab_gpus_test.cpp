// Tests of who must reach whose memory; GPUs and links are made up.
#include "halo/slab_gpus.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace tayra {
namespace {

/// Two ranks with two GPUs each; the second rank counts its GPUs from zero, too.
const std::vector<SlabGpu> four{{0, 0, "A"}, {0, 1, "B"}, {1, 0, "C"}, {1, 1, "D"}};

Reaches all_but(const std::set<std::pair<std::string, std::string>>& broken) {
  return [=](const SlabGpu& from, const SlabGpu& to) {
    return !broken.contains({from.identity, to.identity});
  };
}

TEST(SlabsByDevice, ThatAllReachEachOtherLackNothing) {
  for (const int rank : {0, 1}) {
    EXPECT_EQ(first_out_of_reach(four, rank, 1, Partners::neighbours, all_but({})), "");
    EXPECT_EQ(first_out_of_reach(four, rank, 1, Partners::all, all_but({})), "");
  }
}

TEST(SlabsByDevice, OutOfReachOnAnotherRankAreNamedByTheRankThatWouldStoreThere) {
  const Reaches reaches = all_but({{"B", "C"}});
  EXPECT_EQ(first_out_of_reach(four, 0, 1, Partners::neighbours, reaches),
            "no peer access from GPU 1 of rank 0 to GPU 0 of rank 1");
  EXPECT_EQ(first_out_of_reach(four, 1, 1, Partners::neighbours, reaches), "");
}

TEST(SlabsByDevice, ReachAroundAPeriodicBox) {
  EXPECT_EQ(first_out_of_reach(four, 1, 1, Partners::neighbours, all_but({{"D", "A"}})),
            "no peer access from GPU 1 of rank 1 to GPU 0 of rank 0");
}

TEST(SlabsByDevice, ThatAreNoNeighboursNeedReachEachOtherOnlyForLetters) {
  const Reaches reaches = all_but({{"A", "C"}});
  EXPECT_EQ(first_out_of_reach(four, 0, 1, Partners::neighbours, reaches), "");
  EXPECT_EQ(first_out_of_reach(four, 0, 1, Partners::all, reaches),
            "no peer access from GPU 0 of rank 0 to GPU 0 of rank 1");
}

TEST(SlabsByDevice, ThatAreNeighboursHaveLinksWhichTheLowerOnesRankTells) {
  const std::vector<SlabGpu> slabs{{0, 0, "A"}, {0, 0, "A"}, {0, 1, "B"}, {1, 0, "C"}};
  const Link link = [](const SlabGpu& from, const SlabGpu& to) {
    return from.identity + " to " + to.identity;
  };
  EXPECT_EQ(links_onwards(slabs, 0, 1, link),
            (std::vector<std::string>{"GPU 0 of rank 0 - GPU 1 of rank 0: A to B",
                                      "GPU 1 of rank 0 - GPU 0 of rank 1: B to C"}));
  EXPECT_EQ(links_onwards(slabs, 1, 1, link), std::vector<std::string>{});
}

TEST(SlabsByDevice, ThatLieSideBySideHaveLinksAlongBothAxes) {
  const std::vector<SlabGpu> slabs{{0, 0, "A"}, {0, 1, "B"}, {0, 2, "C"}, {0, 3, "D"}};
  const Link link = [](const SlabGpu& from, const SlabGpu& to) { return from.identity + to.identity; };
  EXPECT_EQ(links_onwards(slabs, 0, 2, link),
            (std::vector<std::string>{"GPU 0 - GPU 1: AB", "GPU 0 - GPU 2: AC", "GPU 1 - GPU 3: BD",
                                      "GPU 2 - GPU 3: CD"}));
}

TEST(SlabsByDevice, OfOneProcessAreNamedWithoutIt) {
  const std::vector<SlabGpu> pair{{0, 0, "A"}, {0, 3, "B"}};
  EXPECT_EQ(first_out_of_reach(pair, 0, 1, Partners::neighbours, all_but({{"B", "A"}})),
            "no peer access from GPU 3 to GPU 0");
}

}  // namespace
}  // namespace tayra
