// Whom `auto` takes.
#include "halo/halo_trial.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

TEST(HaloTrials, TheFastestIsTaken) {
  EXPECT_EQ(best_of({{"host", 0.125, 0.069}, {"uva", 0.084, 0.001}, {"direct", 0.039, 0.013}}).halo,
            "direct");
  EXPECT_EQ(best_of({{"host", 2.0, 0.0}}).halo, "host");
}

/// 512^3 on two GPUs: their clocks made the first to be tried, still cool, look best.
TEST(HaloTrials, OfEquallyFastOnesTheOneThatKeepsSweepsWaitingLeast) {
  EXPECT_EQ(
      best_of({{"host", 14.27, 0.924}, {"uva", 14.29, 0.112}, {"p2p", 14.54, 0.113}, {"nccl", 14.6, 0}}).halo,
      "uva");
}

/// 1024^3 on four GPUs: hiding everything is no use to a way that slows the sweeps.
TEST(HaloTrials, OneThatHidesAllButTakesLongerIsLeft) {
  EXPECT_EQ(best_of({{"uva", 47.0, 0.001}, {"direct", 47.1, 0.06}, {"p2p", 47.5, 0}}).halo, "uva");
}

}  // namespace
}  // namespace tayra
