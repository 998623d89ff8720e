// The same flow, bit for bit, however the box is cut.
#include <gtest/gtest.h>

#include <cstdint>

#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

class Slabs : public ::testing::TestWithParam<SchemeAndPrecision> {};

// No grid is a multiple of a tile or a pack; seven slabs have two planes each, or three.
TEST_P(Slabs, OneTwoThreeAndSevenOfThemAgreeToTheLastBit) {
  const std::array<std::array<int, 3>, 3> grids{{{4, 21, 14}, {135, 4, 15}, {11, 9, 17}}};
  const auto boundaries = all_boundaries();
  std::uint64_t limited = 0;
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    SolverSettings settings = trial_settings(GetParam(), grids[i % grids.size()], boundaries[i]);
    const Trial alone = run_trial(settings, Tumult::violent, 20);
    limited += limited_faces(alone);
    for (const int slabs : {2, 3, 7}) {
      settings.slabs = slabs;
      expect_same(run_trial(settings, Tumult::violent, 20), alone, description(settings));
    }
  }
  EXPECT_GT(limited, 0u) << "the limiter should have been put to the test, too";
}

TEST(StepRecords, TellTheBytesOfAnEdgeEachWayInEachOfThreeStages) {
  SolverSettings settings = trial_settings({"roe3", Precision::single}, {4, 6, 8}, {});
  settings.grid.boundary[2] = Boundary::mirror;
  constexpr std::uint64_t edge = 2 * 5 * 4 * 6 * 4;
  for (const int slabs : {1, 2, 3}) {
    settings.slabs = slabs;
    for (const StepRecord& record : run_trial(settings, Tumult::smooth, 2).records)
      EXPECT_EQ(record.bytes_sent, 3 * 2 * (slabs - 1) * edge);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Slabs, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

}  // namespace
}  // namespace tayra::testing
