// How the planes of a slab are cut into z-streams.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <vector>

#include "solver/z_stream_plan.cuh"

namespace tayra {
namespace {

/// Of the blocks that have something to do, in the order in which they start.
std::vector<ZStreamPlace> places_in_order(const ZStreamCut& cut, const Planes& planes) {
  std::vector<ZStreamPlace> places;
  for (int layer = 0; layer < cut.layers(); ++layer)
    for (int row = 0; row < cut.tile_rows; ++row)
      if (const ZStreamPlace place = cut.place(planes, row, layer); place.planes.count() > 0)
        places.push_back(place);
  return places;
}

/// When the last block is done that starts as soon as another ends.
double time_of(const ZStreamCut& cut, const Planes& planes, int tile_columns, int blocks_at_once) {
  std::vector<double> free_from(blocks_at_once, 0.);  // a heap, the earliest on top
  double last = 0;
  for (const ZStreamPlace& place : places_in_order(cut, planes))
    for (int column = 0; column < tile_columns; ++column) {
      std::pop_heap(free_from.begin(), free_from.end(), std::greater<>());
      free_from.back() += place.planes.count() + start_of_stream;
      last = std::max(last, free_from.back());
      std::push_heap(free_from.begin(), free_from.end(), std::greater<>());
    }
  return last;
}

struct ZStreamCase {
  Planes planes;
  dim3 tiles;
  int blocks_at_once, longest;

  int count() const { return planes.low.count(); }
  ZStreamPlan plan() const { return ZStreamPlanner(planes, tiles, blocks_at_once, longest).best(); }
  double time(const ZStreamCut& cut) const { return time_of(cut, planes, tiles.x, blocks_at_once); }
};
std::ostream& operator<<(std::ostream& out, const ZStreamCase& one) {
  return out << one.count() << " planes, " << one.tiles.x << " x " << one.tiles.y << " tiles, "
             << one.blocks_at_once << " at once";
}
std::vector<ZStreamCase> stream_cases() {
  std::vector<ZStreamCase> cases;
  for (const int planes : {1, 5, 64, 127, 128, 130, 192, 200, 256, 384, 512, 1024})
    for (const dim3 tiles : {dim3(1, 1), dim3(2, 4), dim3(7, 13), dim3(8, 16), dim3(12, 24), dim3(16, 32),
                             dim3(32, 64), dim3(64, 128)}) {
      cases.push_back({all_planes(planes), tiles, 132, 1 << 20});
      cases.push_back({all_planes(planes), tiles, 264, 128});
    }
  return cases;
}

TEST(PlanOfZStreams, KeepsToTheLongest) {
  for (const ZStreamCase& one : stream_cases()) {
    const ZStreamCut cut = one.plan().cut;
    EXPECT_LE(cut.longer.depth, one.longest) << one;
    EXPECT_LE(cut.shorter.depth, cut.longer.depth) << one;
  }
}

TEST(PlanOfZStreams, SharesPlanesOutEvenlyButForShortZStreamsThatAreWorthAStart) {
  for (const ZStreamCase& one : stream_cases()) {
    const ZStreamCut cut = one.plan().cut;
    const int depth = cut.longer.depth, z_streams = cut.longer.all;
    const bool evenly = z_streams * depth - one.count() < z_streams;  // a plane less a z-stream would not do
    EXPECT_TRUE(evenly || one.count() % depth >= 16) << one << ": " << depth;
    EXPECT_TRUE(cut.short_rows() == 0 || cut.shorter.depth >= 16) << one << ": " << cut.shorter.depth;
  }
}

TEST(PlanOfZStreams, CostsWhatBlocksTakeThatStartInOrder) {
  for (const ZStreamCase& one : stream_cases()) {
    const ZStreamPlan plan = one.plan();
    EXPECT_GE(plan.cost, one.time(plan.cut)) << one;
    EXPECT_LE(plan.cost, 1.05 * one.time(plan.cut)) << one;
  }
}

TEST(PlanOfZStreams, IsHardlySlowerThanEqualZStreamsOfUpToEightWavesAndOftenFaster) {
  int faster = 0;
  for (const ZStreamCase& one : stream_cases()) {
    const int rows = one.tiles.y, tiles = one.tiles.x * rows;
    double equal = 1e300;
    for (int waves = 1; waves <= 8; ++waves) {
      const int z_streams = std::max((one.count() - 1) / one.longest + 1, waves * one.blocks_at_once / tiles);
      equal =
          std::min(equal, one.time({ColumnCut(one.planes, (one.count() + z_streams - 1) / z_streams), rows}));
    }
    const double planned = one.time(one.plan().cut);
    EXPECT_LE(planned, 1.04 * equal) << one;
    faster += planned < 0.99 * equal;
  }
  EXPECT_GT(faster, 10);
}

/// Of 15.5 waves.
TEST(PlanOfZStreams, CutsTheLastTilesShortWhereTheirWaveWouldBeHalfEmpty) {
  const ZStreamCase one{all_planes(128), dim3(32, 64), 132, 1 << 20};
  const ZStreamPlan plan = one.plan();
  EXPECT_GT(plan.cut.short_rows(), 0);
  EXPECT_LT(one.time(plan.cut), 0.985 * one.time({ColumnCut(one.planes, 128), 64}));
}

void expect_every_plane_once(const ZStreamCut& cut, const Planes& planes) {
  std::vector<std::vector<int>> swept(cut.tile_rows);
  for (const ZStreamPlace& place : places_in_order(cut, planes))
    for (int k = place.planes.begin; k < place.planes.end; ++k) swept.at(place.tile_row).push_back(k);
  std::vector<int> wanted;
  for (const PlaneRange& range : {planes.low, planes.high})
    for (int k = range.begin; k < range.end; ++k) wanted.push_back(k);
  for (const std::vector<int>& row : swept) EXPECT_EQ(row, wanted);
}

TEST(ZStreamsOfATile, LeadUpEveryPlaneOnce) {
  for (const int nz : {4, 5, 33, 200})
    for (const Planes& planes : {all_planes(nz), boundary_planes(nz), interior_planes(nz)})
      for (const int depth : {1, 2, 3, 28, 200})
        for (const int short_depth : {1, 2, 13})
          for (const int long_rows : {1, 4, 7}) {
            SCOPED_TRACE(testing::Message() << nz << " planes, z_streams of " << depth << ", in all but "
                                            << long_rows << " of 7 rows of " << short_depth);
            expect_every_plane_once({ColumnCut(planes, depth), ColumnCut(planes, short_depth), 7, long_rows},
                                    planes);
          }
}

}  // namespace
}  // namespace tayra
