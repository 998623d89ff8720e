// What a box takes of its devices, in bytes, and which boxes no device takes.
#include "solver/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "solver/audit.hpp"
#include "solver/simulation.hpp"
#include "solver/sweep.hpp"

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

TEST(LikelyCut, IsOneThatServes) {
  const auto serves = [](const SolverSettings& cut) { return cut.cut_y == 2; };
  EXPECT_EQ(likely_cut(cut_box({1024, 1024, 32}, 4), serves), 2);
  EXPECT_EQ(likely_cut(cut_box({1024, 1024, 32}, 4), [](const auto&) { return false; }), 1);
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

TEST(MemoryNeeds, OfAGpuHaveTwoSuchWordsWhereRowsAreCut) {
  SolverSettings settings = cut_box({40, 8, 7}, 2);
  settings.device = DeviceKind::cuda;
  settings.gpus = 2;  // one slab each, of four rows and two ghosts at either side
  settings.cut_y = 2;
  const std::uint64_t with = memory_needed(settings);
  settings.positivity = false;
  const int slabs = most_slabs_of_a_device(settings);
  EXPECT_EQ(with - memory_needed(settings), slabs * (2 + 7 + 2) * 2 * 2 * 4 * 4u);
}

/// The words of the limiter that a sweep of these planes and rows of a slab uses.
void add_masks(std::multiset<std::size_t>& masks, const Layout& slab, SlabPart part, const Planes& planes,
               int rows) {
  Layout swept = slab;
  swept.ny = rows;
  for (const PlaneRange range : {planes.low, planes.high})
    for (int k = range.begin; k < range.end; ++k)
      for (int tile = 0; tile * cells_a_mask < slab.nx; ++tile)
        for (int y = 0; y < rows; ++y)
          masks.insert(first_mask(slab, part) + place_of_bits(swept, tile, y, k));
}

// A GPU sweeps the boundary and the interior at once. One may not take for its own what the other has
// deferred.
TEST(MasksOfTheLimiter, OfSweepsThatAreUnderWayAtOnceLieApart) {
  for (const Layout slab : {Layout{70, 52, 13}, Layout{70, 52, 13, 0, 4}, Layout{37, 49, 26, 1, 4}}) {
    const bool is_cut = slab.other_rows > 0;
    const Planes boundary = boundary_planes(slab.nz), inner = interior_planes(slab.nz);
    std::multiset<std::size_t> of_boundary, of_interior;
    add_masks(of_boundary, slab, SlabPart::boundary, boundary, slab.ny);
    if (is_cut) add_masks(of_boundary, slab, SlabPart::boundary, inner, 16);
    add_masks(of_interior, slab, SlabPart::interior, inner, is_cut ? slab.ny - 32 : slab.ny);
    for (const std::size_t mask : of_interior) {
      EXPECT_EQ(of_boundary.count(mask), 0u);
      EXPECT_EQ(of_interior.count(mask), 1u);
    }
    EXPECT_LT(std::max(*of_boundary.rbegin(), *of_interior.rbegin()), masks_of_slab(slab));
  }
}

TEST(MemoryNeeds, CountTheLargestSlabsOnTheGpuWithTheMostOfThem) {
  if (cuda_devices().size() == 1) GTEST_SKIP() << "one GPU, which gets all slabs";
  SolverSettings settings = flat_box(8, 3);
  settings.device = DeviceKind::cuda;
  settings.gpus = 2;
  settings.positivity = false;
  EXPECT_EQ(memory_needed(settings), 2 * (2 + 3 + 2) * numbers_of_a_plane * 8);
}

TEST(MemoryNeeds, OfAnAuditAreThoseOfASlabOfThePlanesThatItComputesOnceMore) {
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::cuda})
    for (const std::vector<std::string>& scalars : {std::vector<std::string>{}, {"fraction", "dye"}}) {
      SolverSettings settings = flat_box(7, 1);
      settings.device = device;
      settings.scalars = scalars;
      EXPECT_EQ(audit_memory(settings), memory_needed(settings)) << scalars.size() << " scalars";
    }
}

TEST(MemoryNeeds, CountThePlanesOfSlabsThatAreCutAlongY) {
  SolverSettings settings = cut_box({16384, 16384, 64}, 4);
  settings.device = DeviceKind::cuda;
  EXPECT_GT(cells_across_slab(settings), most_cells_across(settings));
  settings.cut_y = 4;
  EXPECT_EQ(cells_across_slab(settings), 16384u * (2 + 4096 + 2));
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
