// Flows that take the GPU's sweep to where its limiter is hard: each with the one scheme that shows it.
#include "sweep_of_a_gpu.hpp"

namespace tayra {

alignas(128) unsigned char shared_memory[most_shared_bytes];

namespace {

using SweepOfRoe3 = SweepOfAGpu<Case<Roe3, double>>;

/// More cells than a block has threads, in more planes than it does at once; some tiles stick out of the box.
TEST_F(SweepOfRoe3, GivesTheBitsOfTheCpuWhereTheLimiterActsAllTheWayUp) {
  using enum Boundary;
  Flow flow{39, 18, 70, mirror, periodic, {1. / 3, true}, 1e-3, true};
  if (looks_for_races) flow = {32, 8, 34, mirror, periodic, {1. / 3, true}, 1e-3};
  const Result expected = result_of_a_cpu<Positivity::on>(flow);
  EXPECT_GT(expected.found.limited_faces, 0u);
  EXPECT_TRUE(result_in_tiles<TileKind::tall>(flow, flow.nz) == expected);
}

/// Z-streams that begin above a limited face, and end below one.
TEST_F(SweepOfRoe3, GivesTheBitsOfTheCpuWhereTheLimiterActsBetweenZStreams) {
  using enum Boundary;
  const Flow flow{37, 19, 12, outflow, periodic, {0, false}, 1e-3};
  const Result expected = result_of_a_cpu<Positivity::on>(flow);
  EXPECT_TRUE(result_in_tiles<TileKind::tall>(flow, 5) == expected);
  EXPECT_TRUE(result_of(flow,
                        [&](Sweep<Real> sweep) {
                          for (const Planes& planes : {boundary_planes(flow.nz), interior_planes(flow.nz)}) {
                            sweep.planes = planes;
                            sweep_in_tiles<TileKind::tall>(sweep, 5);
                          }
                        }) == expected)
      << "boundary and interior";
}

#ifndef TAYRA_RACES
using SweepOfUpwind3 = SweepOfAGpu<Case<Upwind3, double>>;

TEST_F(SweepOfUpwind3, AsksTheFaceWherePlanesOfOldAndNewBoundsMeet) {
  Flow flow{32, 16, 24, Boundary::periodic, Boundary::periodic, {1. / 3, true}, 1};
  // Round 15 moves the bounds from dense planes to light ones: 17 is smooth by the old, 18 to 20 by the new.
  flow.density_at_rest = [](int plane) { return plane < 16 || plane == 17 ? 100. : 1.; };
  const Result expected = result_of_a_cpu<Positivity::on>(flow);
  EXPECT_EQ(expected.found.limited_faces, 32u * 16u) << "one in each column";
  EXPECT_TRUE(result_in_tiles<TileKind::tall>(flow, flow.nz) == expected);
}
#endif

}  // namespace
}  // namespace tayra
