// The GPU's sweep without a GPU: its kernel, run by threads of the CPU, gives the bits of the CPU's sweep.
// Built with ThreadSanitizer, too, which sees what two threads of a block may touch at the same time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "physics/schemes.hpp"
#include "solver/sweep_cuda.cuh"

namespace tayra {

alignas(128) unsigned char shared_memory[most_shared_bytes];

namespace {

/// Some planes of a box in which nothing is smooth.
struct Flow {
  int nx, ny, nz;
  Boundary x, y;
  Stage stage;
  double least_density;   // of a few cells; far below the others' it needs the limiter
  bool in_place = false;  // what is swept is written over the old states
  double fastest = 0.3;   // of all cells, or of the troubled ones
  double dt = 0.01;
  /// Where there are any, all others are smooth.
  std::vector<std::array<int, 3>> troubled_cells = {};
  double (*density_at_rest)(int plane) = nullptr;  // of gas at rest at the background's pressure, if it is
  Beyond above = Beyond::mirror;

  bool is_troubled(const std::array<int, 3>& cell) const {
    return std::find(troubled_cells.begin(), troubled_cells.end(), cell) != troubled_cells.end();
  }
};

template <class Scheme_, class Real_>
struct Case {
  using Scheme = Scheme_;
  using Real = Real_;
};

#ifdef TAYRA_RACES
constexpr bool looks_for_races = true;
#else
constexpr bool looks_for_races = false;
#endif

/// Those that are tried in full: a scheme for each shape of tile. What the others add is their own code.
template <class Case_>
constexpr bool is_tried_in_full = !looks_for_races && (std::is_same_v<Case_, Case<Muscl, double>> ||
                                                       std::is_same_v<Case_, Case<Upwind3, float>> ||
                                                       std::is_same_v<Case_, Case<Weno3, double>>);

template <class TypeParam>
class SweepOfAGpu : public ::testing::Test {
 protected:
  static constexpr bool in_brief = !is_tried_in_full<TypeParam>;
  using Scheme = typename TypeParam::Scheme;
  using Real = typename TypeParam::Real;

  static std::vector<Real> field(const Layout& layout, const Flow& flow, double least_density,
                                 unsigned seed) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
      return low + (high - low) * (random() / static_cast<double>(std::mt19937::max()));
    };
    std::vector<Real> field(layout.size());
    const std::size_t word = layout.variable_stride();
    for (int k = -ghost_planes; k < layout.nz + ghost_planes; ++k) {
      if (flow.density_at_rest != nullptr) {
        std::fill_n(field.data() + layout.plane_start(k), word, Real(flow.density_at_rest(k)));
        continue;
      }
      for (std::size_t i = 0; i < word; ++i) {
        Real* cell = field.data() + layout.plane_start(k) + i;
        const bool is_light =
            flow.troubled_cells.empty()
                ? between(0, 1) > 0.95
                : flow.is_troubled({static_cast<int>(i) % layout.nx, static_cast<int>(i) / layout.nx, k});
        const double fastest = flow.troubled_cells.empty() || is_light ? flow.fastest : 0.2;
        const double density = is_light ? least_density : between(0.7, 1.3);
        cell[0] = Real(density);
        double energy = 0;
        for (int v = 1; v < 4; ++v) {
          const double speed = between(-fastest, fastest);
          cell[v * word] = Real(density * speed);
          energy += 0.5 * density * speed * speed;
        }
        cell[4 * word] = Real(energy + between(0.3, 0.7));
      }
    }
    return field;
  }

  struct Result {
    std::vector<Real> next;
    SlabReport found;
    std::vector<Real> lower, upper;  // edges, as neighbours get them
    static bool same(const std::vector<Real>& one, const std::vector<Real>& other) {
      return one.size() == other.size() &&
             std::memcmp(one.data(), other.data(), one.size() * sizeof(Real)) == 0;
    }
    bool operator==(const Result& other) const {
      return same(next, other.next) && same(lower, other.lower) && same(upper, other.upper) &&
             found.signal_rate == other.found.signal_rate && found.bad_cell == other.found.bad_cell &&
             found.limited_faces == other.found.limited_faces;
    }
  };

  /// `sweep_with` gets a sweep that is complete but for its clock and where it writes to.
  template <class SweepWith>
  static Result result_of(const Flow& flow, SweepWith sweep_with) {
    const Layout layout{flow.nx, flow.ny, flow.nz};
    const auto u = field(layout, flow, flow.least_density, 1), u_old = field(layout, flow, 1, 2);
    std::vector<PlaneBackground<Real>> background(flow.nz + 2 * ghost_planes);
    for (std::size_t k = 0; k < background.size(); ++k)
      background[k] = {Real(1 + 0.02 * k), Real(1.5 - 0.01 * k)};
    const std::vector<Real> no_edge(ghost_planes * field_variables * layout.variable_stride(), Real(-7));
    Result result{flow.in_place ? u_old : std::vector<Real>(layout.size(), Real(-7)), {}, no_edge, no_edge};
    StepClock clock{};
    clock.dt = flow.dt;
    std::vector<unsigned> deferred_bits(mask_count(layout), 0);
    Interval busy;
    sweep_with(
        Sweep<Real>{{layout,
                     0,
                     Beyond::neighbour,
                     flow.above,
                     flow.x,
                     flow.y,
                     {{{Real(10), Real(11), Real(12)}}, Real(10. / 11), {{Real(10), Real(11), Real(12)}}},
                     background.data() + ghost_planes},
                    {Gas<Real>(1.4), ColumnGravity<Real>(-0.5, 1. / 12)},
                    flow.stage,
                    flow.in_place ? result.next.data() : u_old.data(),
                    u.data(),
                    result.next.data(),
                    &clock,
                    all_planes(flow.nz),
                    {result.lower.data(), result.upper.data()},
                    {},
                    &busy,
                    nullptr,
                    deferred_bits.data()});
    EXPECT_EQ(std::count(deferred_bits.begin(), deferred_bits.end(), 0u), std::ssize(deferred_bits));
    result.found = clock.found;
    return result;
  }

  template <std::size_t... I>
  static constexpr int number_of_scheme(std::index_sequence<I...>) {
    return ((std::is_same_v<std::tuple_element_t<I, Schemes>, Scheme> ? static_cast<int>(I) : 0) + ...);
  }

  template <Positivity positivity>
  static Result result_of_a_cpu(const Flow& flow) {
    constexpr int scheme = number_of_scheme(std::make_index_sequence<std::tuple_size_v<Schemes>>());
    return result_of(flow, [](const Sweep<Real>& sweep) {
      sweep_on_cpu(sweep, scheme, positivity);
      const auto copy_edge = [&](int plane, Real* to) {
        const Layout& layout = sweep.slab.layout;
        std::copy_n(sweep.next + layout.plane_start(plane),
                    ghost_planes * field_variables * layout.variable_stride(), to);
      };
      copy_edge(0, sweep.copies.lower);
      copy_edge(sweep.slab.layout.nz - ghost_planes, sweep.copies.upper);
    });
  }

  /// In tiles of this shape, whichever the planner would take.
  template <TileKind tile>
  static Result result_in_tiles(const Flow& flow) {
    return result_of(flow, [](const Sweep<Real>& sweep) {
      const int rows = tiles_of<TileShape<Scheme, Real, tile>>(sweep.slab.layout).y;
      launch_kernel<Scheme, Positivity::on, tile>(sweep, ZStreamCut(ColumnCut(sweep.planes, 4), rows),
                                                  nullptr);
    });
  }

  /// A single multiprocessor gets long z-streams, nearly all of tall or square tiles, plenty of them short
  /// ones of flat tiles.
  template <Positivity positivity>
  static SlabReport expect_the_bits_of_the_cpu(const Flow& flow,
                                               const std::vector<int>& multiprocessors = {1, 20}) {
    const Result expected = result_of_a_cpu<positivity>(flow);
    const auto expect_them = [&](emulated::Arriving arriving, int count) {
      emulated::arriving = arriving;
      EXPECT_TRUE(result_of(flow,
                            [count](const Sweep<Real>& sweep) {
                              launch_sweep<Scheme, positivity>(sweep, count, nullptr);
                            }) == expected)
          << Scheme::name << ", " << flow.nx << " x " << flow.ny << " x " << flow.nz << ", by " << count;
    };
    for (const int count : multiprocessors) expect_them(emulated::Arriving::when_waited_for, count);
    if (!in_brief) expect_them(emulated::Arriving::at_once, multiprocessors.front());
    const bool has_work = flow.fastest > 1 || (std::is_same_v<Scheme, Roe3> && flow.least_density < 0.1);
    if (positivity == Positivity::on && Scheme::traits.wants_limiter && has_work) {
      EXPECT_GT(expected.found.limited_faces, 0u)
          << "a flow without work for the limiter shows nothing of it";
    }
    return expected.found;
  }

  /// Tiles that lie in the box by a part and as a whole, of rows that are fetched in whole pieces and of
  /// others; first, middle and last stages.
  static std::vector<Flow> flows(double least_density) {
    using enum Boundary;
    std::vector<Flow> flows{{37, 19, 6, outflow, outflow, {1. / 3, true}, least_density},
                            {36, 17, 4, periodic, outflow, {3. / 4, true}, least_density, true},
                            {32, 8, 33, mirror, periodic, {0, false}, least_density},
                            {45, 21, 4, periodic, mirror, {3. / 4, false}, least_density},
                            {68, 18, 3, outflow, periodic, {1. / 3, false}, least_density}};
    if (in_brief) flows.resize(3);
    return flows;
  }
};

template <class... Scheme>
::testing::Types<Case<Scheme, double>..., Case<Scheme, float>...> in_both_precisions(std::tuple<Scheme...>);
using AllCases = decltype(in_both_precisions(Schemes()));
/// A scheme for each shape of tile.
using WholeCases = ::testing::Types<Case<Muscl, double>, Case<Upwind3, float>, Case<Weno3, double>>;
#ifdef TAYRA_RACES
using Cases = WholeCases;
#else
using Cases = AllCases;
#endif
struct CaseName {
  template <class Case>
  static std::string GetName(int) {
    return Case::Scheme::name + std::string(sizeof(typename Case::Real) == 4 ? "Single" : "Double");
  }
};
TYPED_TEST_SUITE(SweepOfAGpu, Cases, CaseName);
template <class TypeParam>
class SweepInEveryTile : public SweepOfAGpu<TypeParam> {};
TYPED_TEST_SUITE(SweepInEveryTile, WholeCases, CaseName);

#ifndef TAYRA_RACES
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
#endif

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpu) {
  for (const Flow& flow : this->flows(0.5)) this->template expect_the_bits_of_the_cpu<Positivity::off>(flow);
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuWithTheLimiter) {
  for (const Flow& flow : this->flows(0.5)) this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
}

TYPED_TEST(SweepInEveryTile, GivesTheBitsOfTheCpuWhereTheLastTileIsCutShort) {
  using Shape = TileShape<typename TypeParam::Scheme, typename TypeParam::Real, TileKind::tall>;
  const Flow flow{32, 3 * Shape::height, 32, Boundary::mirror, Boundary::periodic, {1. / 3, true}, 1};
  constexpr int at_once = 2;
  ASSERT_EQ(ZStreamPlanner(all_planes(flow.nz), dim3{1, 3}, at_once, flow.nz).best().cut.short_rows(), 1);
  this->template expect_the_bits_of_the_cpu<Positivity::off>(flow,
                                                             {at_once / Shape::blocks_per_multiprocessor});
}

TYPED_TEST(SweepInEveryTile, NamesTheFirstCellThatIsNoGasAsTheCpuDoes) {
  Flow flow = this->flows(0.5).front();
  flow.dt = 1;  // far too long
  const SlabReport free = this->template expect_the_bits_of_the_cpu<Positivity::off>(flow);
  const SlabReport limited = this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
  EXPECT_NE(free.bad_cell, no_cell) << "a flow that stays a gas shows nothing of it";
  EXPECT_NE(limited.bad_cell, no_cell);
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuWhereTheLimiterActs) {
  Flow flow = this->flows(1e-3).front();
  this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
  flow.fastest = 6;  // neighbours part faster than sound, which no scheme leaves a gas
  flow.dt = 1e-4;
  this->template expect_the_bits_of_the_cpu<Positivity::on>(flow);
}

TYPED_TEST(SweepOfAGpu, GivesTheBitsOfTheCpuInTilesOfEveryShape) {
  using enum Boundary;
  constexpr bool has_square = has_square_tile<typename TypeParam::Scheme, typename TypeParam::Real>;
  const Flow flow{39, 37, 7, outflow, periodic, {1. / 3, true}, 1e-3};  // some stick out of the box
  const auto expected = this->template result_of_a_cpu<Positivity::on>(flow);
  if constexpr (has_square) {
    EXPECT_TRUE(this->template result_in_tiles<TileKind::square>(flow) == expected);
  }
  if (TestFixture::in_brief) return;  // the others' planner takes tall and flat ones
  EXPECT_TRUE(this->template result_in_tiles<TileKind::tall>(flow) == expected);
  EXPECT_TRUE(this->template result_in_tiles<TileKind::flat>(flow) == expected);
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
    if (TestFixture::in_brief) return;
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
  std::size_t size() const { return ghost_planes * field_variables * layout_.variable_stride(); }

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
    launch_sweep<typename TypeParam::Scheme, Positivity::on>(sweep, 1000, nullptr);
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
    launch_sweep<typename TypeParam::Scheme, Positivity::on>(sweep, 1, nullptr);
    EXPECT_FALSE(neighbours.time_is_noted());
    for (int side = 0; side < 2; ++side) EXPECT_EQ(neighbours.waits(side), 1);
  }) == expected);
}

using SweepOfRoe3 = SweepOfAGpu<Case<Roe3, double>>;

/// More cells than a block has threads, in more planes than it does at once; some tiles stick out of the box.
TEST_F(SweepOfRoe3, GivesTheBitsOfTheCpuWhereTheLimiterActsAllTheWayUp) {
  using enum Boundary;
  Flow flow{39, 18, 70, mirror, periodic, {1. / 3, true}, 1e-3, true};
  if (looks_for_races) flow = {32, 8, 34, mirror, periodic, {1. / 3, true}, 1e-3};
  expect_the_bits_of_the_cpu<Positivity::on>(flow, {1});
}

/// Z-streams that begin above a limited face, and end below one.
TEST_F(SweepOfRoe3, GivesTheBitsOfTheCpuWhereTheLimiterActsBetweenZStreams) {
  using enum Boundary;
  const Flow flow{37, 19, 12, outflow, periodic, {0, false}, 1e-3};
  const Result expected = result_of_a_cpu<Positivity::on>(flow);
  const auto sweep_tall = [](Sweep<Real> sweep, const Planes& planes) {
    sweep.planes = planes;
    const int rows = tiles_of<TileShape<Scheme, Real, TileKind::tall>>(sweep.slab.layout).y;
    launch_kernel<Scheme, Positivity::on, TileKind::tall>(sweep, ZStreamCut(ColumnCut(planes, 5), rows),
                                                          nullptr);
  };
  EXPECT_TRUE(result_of(flow, [&](const Sweep<Real>& sweep) { sweep_tall(sweep, all_planes(flow.nz)); }) ==
              expected);
  EXPECT_TRUE(result_of(flow,
                        [&](const Sweep<Real>& sweep) {
                          sweep_tall(sweep, boundary_planes(flow.nz));
                          sweep_tall(sweep, interior_planes(flow.nz));
                        }) == expected)
      << "boundary and interior";
}

#ifndef TAYRA_RACES
using SweepOfUpwind3 = SweepOfAGpu<Case<Upwind3, double>>;

TEST_F(SweepOfUpwind3, AsksTheFaceWherePlanesOfOldAndNewBoundsMeet) {
  Flow flow{32, 16, 24, Boundary::periodic, Boundary::periodic, {1. / 3, true}, 1};
  // Round 15 moves the bounds from dense planes to light ones: 17 is smooth by the old, 18 to 20 by the new.
  flow.density_at_rest = [](int plane) { return plane < 16 || plane == 17 ? 100. : 1.; };
  const SlabReport found = expect_the_bits_of_the_cpu<Positivity::on>(flow);
  EXPECT_EQ(found.limited_faces, 32u * 16u) << "one in each column";
}
#endif

}  // namespace
}  // namespace tayra
