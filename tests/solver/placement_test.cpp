// What a box takes of its devices, in bytes, and which boxes no device takes.
#include "solver/placement.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "solver/simulation.hpp"

namespace tayra {
namespace {

bool takes_planes(DeviceKind device, Precision precision, std::uint64_t cells) {
  SolverSettings settings;
  settings.device = device;
  settings.precision = precision;
  return cells <= most_cells_across(settings);
}

/// Of 40 x 6 cells a plane.
SolverSettings flat_box(int planes, int slabs, Precision precision = Precision::double_) {
  SolverSettings settings;
  settings.grid.cells = {40, 6, planes};
  settings.slabs = slabs;
  settings.precision = precision;
  return settings;
}

/// In each of three fields five variables a cell, and two numbers of the background.
constexpr std::uint64_t numbers_of_a_plane = 3 * 5 * 40 * 6 + 2;

SolverSettings cut_box(std::array<int, 3> cells, int slabs) {
  SolverSettings settings;
  settings.grid.cells = cells;
  settings.slabs = slabs;
  return settings;
}

TEST(LikelyCut, IsTheOneWhoseFacesAreSmallestAndNoneWhereNothingIsGained) {
  EXPECT_EQ(likely_cut(cut_box({256, 256, 256}, 4)), 1) << "2 x 2 slabs have faces as large";
  EXPECT_EQ(likely_cut(cut_box({1024, 1024, 1024}, 16)), 4);
  EXPECT_EQ(likely_cut(cut_box({1024, 1024, 32}, 4)), 4);
  EXPECT_EQ(likely_cut(cut_box({64, 64, 4}, 4)), 4) << "faces between layers are those of 64 rows";
}

TEST(LikelyCut, LeavesEachSlabPlanesAndRowsEnough) {
  EXPECT_EQ(likely_cut(cut_box({8, 8, 64}, 64)), 2) << "four rows and two planes each";
  SolverSettings settings = cut_box({64, 64, 8}, 4);
  settings.rows_apart = 32;
  EXPECT_EQ(likely_cut(settings), 2) << "32 rows each";
  EXPECT_FALSE(is_possible_cut(settings, 4));
  EXPECT_FALSE(is_possible_cut(cut_box({64, 64, 64}, 4), 3)) << "no whole layers";
}

TEST(MemoryNeeds, AreThreeFieldsWithTwoGhostPlanesAtEitherEndAndTheBackground) {
  EXPECT_EQ(memory_needed(flat_box(7, 1)), (2 + 7 + 2) * numbers_of_a_plane * 8);
  EXPECT_EQ(memory_needed(flat_box(7, 1, Precision::single)), (2 + 7 + 2) * numbers_of_a_plane * 4);
}

TEST(MemoryNeeds, OfACpuAreThoseOfAllItsSlabsAndOfNoLimiter) {
  SolverSettings settings = flat_box(7, 2);
  EXPECT_EQ(memory_needed(settings), ((2 + 4 + 2) + (2 + 3 + 2)) * numbers_of_a_plane * 8);
  settings.positivity = false;
  EXPECT_EQ(memory_needed(settings), ((2 + 4 + 2) + (2 + 3 + 2)) * numbers_of_a_plane * 8);
}

TEST(MemoryNeeds, OfAGpuHaveAWordOfTheLimiterForUpTo32CellsOfARowOnlyWhereItIsOn) {
  SolverSettings settings = flat_box(7, 1);
  settings.device = DeviceKind::cuda;
  EXPECT_EQ(memory_needed(settings), (2 + 7 + 2) * (numbers_of_a_plane * 8 + 2 * 6 * 4));
  settings.positivity = false;
  EXPECT_EQ(memory_needed(settings), (2 + 7 + 2) * numbers_of_a_plane * 8);
}

TEST(MemoryNeeds, CountTheLargestSlabsOnTheGpuWithTheMostOfThem) {
  if (cuda_devices().size() == 1) GTEST_SKIP() << "one GPU, which gets all slabs";
  SolverSettings settings = flat_box(8, 3);
  settings.device = DeviceKind::cuda;
  settings.gpus = 2;
  settings.positivity = false;
  EXPECT_EQ(memory_needed(settings), 2 * (2 + 3 + 2) * numbers_of_a_plane * 8);
}

TEST(MemoryNeeds, GiveAGpuNoPlaneOfWhichFourVariablesHave4GiB) {
  EXPECT_TRUE(takes_planes(DeviceKind::cuda, Precision::double_, 16384ull * 8191));
  EXPECT_FALSE(takes_planes(DeviceKind::cuda, Precision::double_, 16384ull * 8192));
  EXPECT_TRUE(takes_planes(DeviceKind::cuda, Precision::single, 16384ull * 16383));
  EXPECT_FALSE(takes_planes(DeviceKind::cuda, Precision::single, 16384ull * 16384));
  EXPECT_TRUE(takes_planes(DeviceKind::cpu, Precision::double_, 65536ull * 65536));
}

}  // namespace
}  // namespace tayra
