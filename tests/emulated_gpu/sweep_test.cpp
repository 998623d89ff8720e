// What the GPU's sweep makes of all kinds of flow, boxes and tiles, bit by bit. Built with ThreadSanitizer,
// too, which sees what two threads of a block may touch at the same time. A program has this once for each
// case.
#include "sweep_of_a_gpu.hpp"

namespace tayra {
namespace {

using Cases = ::testing::Types<Case<TAYRA_SCHEME, TAYRA_REAL, GpuClass::TAYRA_GPU>>;
struct CaseName {
  template <class Case>
  static std::string GetName(int) {
    return Case::Scheme::name + std::string(sizeof(typename Case::Real) == 4 ? "Single" : "Double") +
           std::to_string(shared_memory_of(Case::gpu) / 1024);
  }
};
TYPED_TEST_SUITE(SweepOfAGpu, Cases, CaseName);

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpu) {
  for (const Flow& flow : this->flows(0.5)) this->template expect_the_bits_of_the_cpu<Positivity::off>(flow);
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuWithTheLimiter) {
  for (const Flow& flow : this->flows(0.5)) this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuWhereTheLimiterActs) {
  Flow flow = this->flows(1e-3).front();
  this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
  flow.fastest = 6;  // neighbours part faster than sound, which no scheme leaves a gas
  flow.dt = 1e-4;
  this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
}

/// Whole, and boundary and interior one after the other.
TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuToWhatTheFlowCarries) {
  using Number = typename TypeParam::Real;
  using Fluxes = typename TypeParam::Scheme;
  for (Flow flow : {Flow{37, 19, 7, Boundary::outflow, Boundary::outflow, {1. / 3, true}, 1e-3},
                    Flow{36, 1, 6, Boundary::periodic, Boundary::outflow, {3. / 4, false}, 1e-3, true}}) {
    flow.scalars = 2;
    flow.fastest = 6;
    flow.dt = 1e-4;
    const auto expected = this->template result_of_a_cpu<Positivity::on>(flow);
    const auto carried = [](const Sweep<Number>& sweep) {
      launch_carrying_tiles<Fluxes, TypeParam::gpu>(sweep, 1, nullptr);
      for (int scalar = 0; scalar < sweep.slab.layout.scalars; ++scalar)
        launch_early(carry_kernel<Number>,
                     {CarryShape::blocks(sweep.slab.layout, sweep.planes), CarryShape::threads}, nullptr,
                     "carrying scalars", Carry<Number>{sweep, Fluxes::flux_multiple}, scalar);
    };
    EXPECT_TRUE(this->result_of(flow, carried) == expected);
    EXPECT_TRUE(this->result_of(flow, [&](Sweep<Number> sweep) {
      for (const Planes& planes : {boundary_planes(flow.nz), interior_planes(flow.nz)}) {
        sweep.planes = planes;
        carried(sweep);
      }
    }) == expected);
    if (in_brief) return;
  }
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuInTilesOfEveryShape) {
  using enum Boundary;
  constexpr bool has_square =
      has_square_tile<typename TypeParam::Scheme, typename TypeParam::Real, TypeParam::gpu>;
  const Flow flow{39, 37, 7, outflow, periodic, {1. / 3, true}, 1e-3};  // some stick out of the box
  const auto expected = this->template result_of_a_cpu<Positivity::on>(flow);
  if constexpr (has_square) {
    EXPECT_TRUE(this->template result_in_tiles<TileKind::square>(flow) == expected);
  }
  if (in_brief) return;  // the others' planner takes tall and flat ones
  EXPECT_TRUE(this->template result_in_tiles<TileKind::tall>(flow) == expected);
  EXPECT_TRUE(this->template result_in_tiles<TileKind::flat>(flow) == expected);
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuWhereNeighboursRowsLieBesideItsOwn) {
  using enum Boundary;
  const Flow flow{36, 41, 7, periodic, mirror, {1. / 3, true}, 1e-3};
  const auto expected = this->template result_of_a_cpu<Positivity::on>(flow);
  EXPECT_TRUE(this->result_of(flow, [&](const auto& sweep) {
    this->each_range_of_rows(sweep, {0, 16, 23, 41}, [&](auto& part) {
      const int begin = part.slab.y.first;
      const auto u = this->without_corners(sweep, begin, begin + part.slab.layout.ny);
      part.u = u.data() + begin * flow.nx;
      launch_best_tiles<typename TypeParam::Scheme, Positivity::on, TypeParam::gpu>(part, 4, nullptr);
    });
  }) == expected);
}

/// Rows of whole pieces and of others, inside of a tile and beyond; and a column of rows of one cell.
TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuInABoxOfOneCellAlongAnAxis) {
  using enum Boundary;
  for (Flow flow : {Flow{37, 1, 6, outflow, outflow, {1. / 3, true}, 1e-3},
                    Flow{68, 1, 35, periodic, outflow, {3. / 4, true}, 1e-3, true},
                    Flow{32, 1, 5, mirror, outflow, {0, false}, 1e-3},
                    Flow{1, 19, 6, outflow, mirror, {3. / 4, true}, 1e-3},
                    Flow{1, 1, 7, outflow, outflow, {1. / 3, true}, 1e-3}}) {
    this->template expect_the_bits_of_the_cpu<Positivity::off>(flow);
    flow.fastest = 6;
    flow.dt = 1e-4;
    this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
  }
}

#ifdef TAYRA_IN_FULL
template <class TypeParam>
class SweepInEveryTile : public SweepOfAGpu<TypeParam> {};
TYPED_TEST_SUITE(SweepInEveryTile, Cases, CaseName);

TYPED_TEST(SweepInEveryTile, GivesTheBitsOfTheCpuWhereTheLastTileIsCutShort) {
  using Shape =
      TileShape<typename TypeParam::Scheme, typename TypeParam::Real, Tile{TileKind::tall, TypeParam::gpu}>;
  const Flow flow{32, 3 * Shape::height, 32, Boundary::mirror, Boundary::periodic, {1. / 3, true}, 1};
  constexpr int at_once = 2;
  ASSERT_EQ(ZStreamPlanner(all_planes(flow.nz), dim3{1, 3}, at_once, flow.nz).best().cut.short_rows(), 1);
  this->template expect_the_bits_of_the_cpu<Positivity::off>(
      flow, {{at_once / Shape::blocks_per_multiprocessor, emulated::Order::shuffled}});
}

TYPED_TEST(SweepInEveryTile, NamesTheFirstCellThatIsNoGasAsTheCpuDoes) {
  Flow flow = this->flows(0.5).front();
  flow.dt = 1;  // far too long
  const SlabReport free = this->template expect_the_bits_of_the_cpu<Positivity::off>(flow);
  const SlabReport limited = this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
  EXPECT_NE(free.bad_cell, no_cell) << "a flow that stays a gas shows nothing of it";
  EXPECT_NE(limited.bad_cell, no_cell);
}

TYPED_TEST(SweepInEveryTile, FindsTheOneCellThatIsNotSmooth) {
  using enum Boundary;
  // At corners of tiles and beside them, in the last plane and between.
  for (const std::array<int, 3>& cell :
       {std::array{0, 0, 5}, std::array{32, 8, 4}, std::array{31, 15, 8}, std::array{5, 16, 3}}) {
    Flow flow{36, 18, 9, periodic, outflow, {3. / 4, true}, 1e-3};
    flow.troubled_cells = {cell};
    flow.fastest = 60;
    flow.dt = 1e-4;
    // A light cell gives the limiter of muscl nothing to do.
    if (this->template result_of_a_cpu<Positivity::on>(flow).found.limited_faces == 0)
      flow.least_density = 10;
    this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
    if (in_brief) return;
  }
}

/// Of two neighbours, whose planes land when a block looks for them again: for that block alone, or for all
/// that come after it.
enum class Arrives { for_one_block, for_good };
template <class Real>
class ArrivingPlanes {
 public:
  ArrivingPlanes(Sweep<Real>& sweep, Arrives arrives)
      : layout_(sweep.slab.layout), arrived_(sweep.u, sweep.u + layout_.size()), seen_(arrived_) {
    sweep.u = seen_.data();
    sweep.neighbours = {&signals_, {true, true}};
    sweep.arrived = &time_;
    emulated::before_block = [this, arrives] {
      if (arrives == Arrives::for_good && blocks_ > 0) return;
      ++blocks_;
      for (int side = 0; side < 2; ++side) {
        signals_.arrived[side] = 4;
        looks_of_block_[side] = 0;
        std::fill_n(seen_.data() + start(side), size(), std::numeric_limits<Real>::quiet_NaN());
      }
    };
    emulated::on_look = [this](const std::uint64_t* counter) {
      const auto side = static_cast<int>(counter - signals_.arrived);
      if (++looks_of_block_[side] < 2) return;
      ++waits_[side];
      signals_.arrived[side] = 5;
      std::copy_n(arrived_.data() + start(side), size(), seen_.data() + start(side));
    };
  }
  ~ArrivingPlanes() {
    emulated::before_block = nullptr;
    emulated::on_look = nullptr;
  }
  ArrivingPlanes(const ArrivingPlanes&) = delete;
  ArrivingPlanes& operator=(const ArrivingPlanes&) = delete;

  /// Of blocks, for the planes of a side.
  int waits(int side) const { return waits_[side]; }
  int blocks() const { return blocks_; }
  bool time_is_noted() const { return time_ > 0; }

 private:
  std::size_t start(int side) const { return layout_.plane_start(side == 0 ? -ghost_planes : layout_.nz); }
  std::size_t size() const { return ghost_planes * layout_.plane_stride(); }

  Layout layout_;
  std::vector<Real> arrived_, seen_;
  PeerSignals signals_{{}, {5, 5}};
  int looks_of_block_[2] = {}, waits_[2] = {}, blocks_ = 0;
  unsigned long long time_ = 0;
};

Flow between_neighbours() {
  using enum Boundary;
  Flow flow{36, 18, 9, periodic, outflow, {3. / 4, false}, 1e-3};
  flow.above = Beyond::neighbour;
  return flow;
}

/// So many multiprocessors that every z-stream is a plane long.
TYPED_TEST(SweepInEveryTile, ReadsNoPlanesOfNeighboursBeforeTheyHaveArrived) {
  const Flow flow = between_neighbours();
  const auto expected = this->template result_of_a_cpu<Positivity::on>(flow);
  EXPECT_TRUE(this->result_of(flow, [&](auto sweep) {
    const ArrivingPlanes neighbours(sweep, Arrives::for_one_block);
    launch_best_tiles<typename TypeParam::Scheme, Positivity::on, TypeParam::gpu>(sweep, 1000, nullptr);
    EXPECT_TRUE(neighbours.time_is_noted());
    for (int side = 0; side < 2; ++side)
      EXPECT_EQ(neighbours.waits(side) * flow.nz, neighbours.blocks() * ghost_planes)
          << "others wait for nobody";
  }) == expected);
}

TYPED_TEST(SweepInEveryTile, WaitsForNobodyItselfWhereItsBlocksDoNotAllRunAtOnce) {
  const Flow flow = between_neighbours();
  const auto expected = this->template result_of_a_cpu<Positivity::on>(flow);
  EXPECT_TRUE(this->result_of(flow, [&](auto sweep) {
    const ArrivingPlanes neighbours(sweep, Arrives::for_good);
    launch_best_tiles<typename TypeParam::Scheme, Positivity::on, TypeParam::gpu>(sweep, 1, nullptr);
    EXPECT_FALSE(neighbours.time_is_noted());
    for (int side = 0; side < 2; ++side) EXPECT_EQ(neighbours.waits(side), 1);
  }) == expected);
}
#endif

}  // namespace
}  // namespace tayra
