// The same flow, bit for bit, however the box is cut.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <utility>

#include "physics/stencils.hpp"
#include "solver/flow.hpp"
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

/// Cuts that were drawn, of odd grids: rows that make no group, slabs with and without inner rows.
void expect_same_however_planes_are_cut(DeviceKind device, const SchemeAndPrecision& with,
                                        const std::string& halo = "auto") {
  const auto boundaries = all_boundaries();
  Dice dice(17);
  const auto drawn = [&](int least, int most) { return static_cast<int>(dice.between(least, most + 0.999)); };
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    const std::array<int, 3> cells{drawn(1, 40), drawn(8, 130), drawn(2, 12)};
    SolverSettings settings = trial_settings(with, cells, boundaries[i]);
    if (i % 2 == 0) settings.scalars = {"a", "b"};
    settings.device = device;
    const Trial alone = run_trial(settings, Tumult::violent, 6);
    settings.cut_y = drawn(2, std::min(cells[1] / rows_of_group, 5));
    settings.slabs = settings.cut_y * drawn(1, cells[2] / 2);
    settings.halo = halo;
    expect_same(run_trial(settings, Tumult::violent, 6), alone,
                description(settings) + ", of which " + std::to_string(settings.cut_y) + " side by side");
  }
}

TEST_P(Slabs, OfRowsAgreeToTheLastBitHoweverManyLieSideBySide) {
  expect_same_however_planes_are_cut(DeviceKind::cpu, GetParam());
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

double sum_of(const std::vector<StepRecord>& records, double (*part)(const StepRecord&)) {
  return std::accumulate(records.begin(), records.end(), 0.,
                         [&](double sum, const StepRecord& record) { return sum + part(record); });
}

TEST(StepRecords, HaveTheMillisecondsOfEachStepAndOfItsSweeps) {
  SolverSettings settings = trial_settings({"roe3", Precision::double_}, {32, 32, 32}, {});
  settings.grid.boundary[2] = Boundary::mirror;
  const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, false));
  const auto start = std::chrono::steady_clock::now();
  simulation->advance(20, 1e300);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  const auto records = simulation->finish();
  const double wall = sum_of(records, [](const StepRecord& step) { return step.wall_ms; });
  const double sweeps = sum_of(records, [](const StepRecord& step) { return step.slabs[0].compute_ms; });
  EXPECT_LE(wall, spent.count());
  EXPECT_GT(wall, 0.1 * spent.count());
  EXPECT_LE(sweeps, wall);
  EXPECT_GT(sweeps, 0.1 * wall) << "a slab alone does little else";
}

TEST(StepRecords, OfACpuSayThatNothingHidesAnExchange) {
  SolverSettings settings = trial_settings({"roe3", Precision::double_}, {12, 12, 12}, {});
  settings.slabs = 3;
  for (const StepRecord& record : run_trial(settings, Tumult::smooth, 4).records) {
    ASSERT_EQ(record.slabs.size(), 3u);
    for (const SlabTimes& slab : record.slabs) {
      EXPECT_GT(slab.comm_ms, 0);
      EXPECT_EQ(slab.exposed_ms, slab.comm_ms);
    }
  }
}

TEST(PlanesRead, OfTheStartAreTheProblemsWhateverBackgroundTheyLieOver) {
  SolverSettings settings = trial_settings({"roe3", Precision::double_}, {5, 4, 9}, {});
  settings.grid.boundary[2] = Boundary::mirror;
  settings.slabs = 2;
  const Waves3d problem(Tumult::smooth, true);
  std::vector<double> state(5 * 5 * 4 * 6);
  make_simulation(settings, problem)->read_planes(2, 6, state);
  for (int cell = 0; cell < 5 * 4 * 6; ++cell) {
    const int x = cell % 5, y = cell / 5 % 4, z = cell / 20;
    const auto expected = conserved(problem.initial(settings.grid.point(x, y, 2 + z)), settings.gamma);
    for (int v = 0; v < 5; ++v) EXPECT_NEAR(state[(5 * z + v) * 20 + cell % 20], expected[v], 1e-14) << z;
  }
}

/// As a checkpoint does it.
TEST(Restart, GoesOnFromPlanesThatAreWrittenWithTheStepLengthThatItsOwnSettingsWant) {
  SolverSettings settings = trial_settings({"roe3", Precision::double_}, {6, 5, 12}, {});
  settings.slabs = 3;
  const Waves3d problem(Tumult::smooth, false);
  const auto before = make_simulation(settings, problem);
  before->advance(5, 1e300);
  const double last_dt = before->finish().at(4).dt;
  EXPECT_EQ(before->clock().dt, last_dt);
  std::vector<std::byte> planes(12 * before->plane_bytes());
  before->start_copy(0, 12, planes.data()).wait();
  const StepClock there = before->clock();
  before->advance(1, 1e300);
  const StepRecord next = before->finish().at(0);

  const auto after_restart = [&](const SolverSettings& changed) {
    const auto simulation = make_simulation(changed, problem);
    simulation->write_raw(0, 12, planes.data());
    simulation->restart(there);
    simulation->advance(1, 1e300);
    const StepRecord record = simulation->finish().at(0);
    std::vector<double> state(5 * 6 * 5 * 12);
    simulation->read_planes(0, 12, state);
    return std::pair(record, state);
  };
  std::vector<double> expected(5 * 6 * 5 * 12);
  before->read_planes(0, 12, expected);
  const auto [record, state] = after_restart(settings);
  EXPECT_EQ(record.step, 6);
  EXPECT_EQ(record.dt, next.dt);
  EXPECT_EQ(record.time, next.time);
  EXPECT_EQ(state, expected);

  SolverSettings shorter = settings;
  shorter.cfl = 0.5 * settings.cfl;
  EXPECT_EQ(after_restart(shorter).first.dt, 0.5 * next.dt);
  shorter.fixed_dt = 0.25 * next.dt;
  EXPECT_EQ(after_restart(shorter).first.dt, 0.25 * next.dt);
}

class GpuSlabs : public ::testing::TestWithParam<SchemeAndPrecision> {};
TEST_P(GpuSlabs, OfRowsAgreeToTheLastBitHoweverManyLieSideBySide) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_same_however_planes_are_cut(DeviceKind::cuda, GetParam());
}
TEST_P(GpuSlabs, OfRowsAgreeToTheLastBitWhereSweepsStorePlanesIntoTheirNeighbours) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_same_however_planes_are_cut(DeviceKind::cuda, GetParam(), "direct");
}
// Large enough for the boundary and the interior to be swept at once, and the limiter acts in both.
TEST_P(GpuSlabs, OfRowsAgreeToTheLastBitWhereTheirPartsAreSweptAtOnce) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  SolverSettings settings = trial_settings(GetParam(), {150, 205, 52}, {});
  settings.device = DeviceKind::cuda;
  const Trial alone = run_trial(settings, Tumult::violent, 20);
  const bool needs_none = settings.scheme == "roe3";
  EXPECT_TRUE(needs_none || limited_faces(alone) > 0);
  for (const std::string halo : {"uva", "direct"})
    for (const int slabs : {2, 4}) {
      settings.halo = halo;
      settings.cut_y = 2;
      settings.slabs = slabs;
      expect_same(run_trial(settings, Tumult::violent, 20), alone, description(settings));
    }
}
INSTANTIATE_TEST_SUITE_P(All, GpuSlabs, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

INSTANTIATE_TEST_SUITE_P(All, Slabs, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

}  // namespace
}  // namespace tayra::testing
