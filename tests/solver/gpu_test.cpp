// A GPU computes what the CPU does, bit for bit.
#include <gtest/gtest.h>

#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

class Gpu : public ::testing::TestWithParam<SchemeAndPrecision> {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  }

  void expect_like_cpu(SolverSettings settings, Tumult tumult, int steps) {
    settings.device = DeviceKind::cpu;
    const Trial expected = run_trial(settings, tumult, steps);
    settings.device = DeviceKind::cuda;
    for (const int slabs : {1, 2, 3}) {
      settings.slabs = slabs;
      expect_same(run_trial(settings, tumult, steps), expected, description(settings));
    }
  }
};

const std::array<std::array<int, 3>, 3> uneven_grids{{{4, 37, 9}, {67, 5, 8}, {33, 19, 21}}};

TEST_P(Gpu, EqualsTheCpuToTheLastBitInViolentFlowWithEveryBoundary) {
  const auto boundaries = all_boundaries();
  for (std::size_t i = 0; i < boundaries.size(); ++i)
    expect_like_cpu(trial_settings(GetParam(), uneven_grids[i % uneven_grids.size()], boundaries[i]),
                    Tumult::violent, 100);
}

TEST_P(Gpu, EqualsTheCpuToTheLastBitWithoutTheLimiter) {
  for (const auto& boundary : all_boundaries()) {
    SolverSettings settings = trial_settings(GetParam(), {35, 11, 10}, boundary);
    settings.positivity = false;
    expect_like_cpu(settings, Tumult::smooth, 100);
  }
}

TEST_P(Gpu, EqualsTheCpuToTheLastBitWithScalars) {
  const auto boundaries = all_boundaries();
  const std::vector<std::string> names{"one", "two", "three", "four"};
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    SolverSettings settings =
        trial_settings(GetParam(), uneven_grids[i % uneven_grids.size()], boundaries[i]);
    settings.scalars.assign(names.begin(), names.begin() + 1 + i % names.size());
    expect_like_cpu(settings, Tumult::violent, 60);
  }
  SolverSettings flat = trial_settings(GetParam(), {67, 1, 33}, {});
  flat.scalars = {"one", "two"};
  expect_like_cpu(flat, Tumult::violent, 60);
  SolverSettings thin = trial_settings(GetParam(), {1, 37, 9}, {});
  thin.scalars = {"one", "two"};
  expect_like_cpu(thin, Tumult::violent, 60);
}

TEST_P(Gpu, EqualsTheCpuToTheLastBitWithAFixedStep) {
  SolverSettings settings = trial_settings(GetParam(), {20, 20, 20}, all_boundaries().front());
  settings.fixed_dt = 0.003;
  expect_like_cpu(settings, Tumult::smooth, 100);
}

// Tall tiles and, in single, square ones (not where half of each would stick out), of rows of whole pieces of
// 16 bytes and of others, and so many of them that a block streams up many planes; flat tiles that stream up
// several; one row of tiles more than whole waves of 132 multiprocessors, which is cut into shorter
// z-streams.
TEST_P(Gpu, EqualsTheCpuToTheLastBitInLongZStreams) {
  const auto boundaries = all_boundaries();
  expect_like_cpu(trial_settings(GetParam(), {100, 96, 26}, boundaries.front()), Tumult::violent, 5);
  expect_like_cpu(trial_settings(GetParam(), {99, 97, 26}, boundaries.back()), Tumult::violent, 5);
  expect_like_cpu(trial_settings(GetParam(), {256, 256, 26}, boundaries.front()), Tumult::violent, 3);
  expect_like_cpu(trial_settings(GetParam(), {255, 249, 26}, boundaries.back()), Tumult::violent, 3);
  expect_like_cpu(trial_settings(GetParam(), {4224, 16, 26}, boundaries.front()), Tumult::violent, 3);
  expect_like_cpu(trial_settings(GetParam(), {32, 8, 600}, boundaries.front()), Tumult::violent, 5);
  expect_like_cpu(trial_settings(GetParam(), {640, 224, 40}, boundaries.front()), Tumult::violent, 2);
}

// Rows of whole pieces and of others, in z-streams of many planes and of few.
TEST_P(Gpu, EqualsTheCpuToTheLastBitWithOneCellAlongAnAxis) {
  using enum Boundary;
  for (const Boundary kind : {periodic, mirror, outflow}) {
    for (const int nx : {67, 128})
      expect_like_cpu(trial_settings(GetParam(), {nx, 1, 33}, {kind, periodic, kind}), Tumult::violent, 100);
    expect_like_cpu(trial_settings(GetParam(), {1, 37, 9}, {periodic, kind, kind}), Tumult::violent, 50);
  }
  expect_like_cpu(trial_settings(GetParam(), {1, 1, 40}, {periodic, periodic, outflow}), Tumult::violent, 50);
  expect_like_cpu(trial_settings(GetParam(), {2048, 1, 600}, {periodic, periodic, mirror}), Tumult::violent,
                  5);
}

INSTANTIATE_TEST_SUITE_P(All, Gpu, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

}  // namespace
}  // namespace tayra::testing
