// What benchmarks time must have moved the bytes: a way that loses any is caught.
#include "bench/exchange.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "core/error.hpp"
#include "halo/stacked.hpp"

namespace tayra {
namespace {

const MeasuringPlan once{.repeats = 1, .sample_seconds = 0};

Placement three_slabs() { return chain_of({.device = "cpu", .slabs = 3}, DeviceKind::cpu); }

/// Leaves out so many bytes at the end of the last move, or exchanges two moves' bytes.
class BadTransport final : public Transport {
 public:
  enum class Fault { none, last_byte, last_move, wrong_edge };
  BadTransport(HaloSite site, Fault fault) : Transport(std::move(site)), fault_(fault) {}

  void start_moves(int field) override {
    const auto& moves = site_.plan.moves;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const bool last = i + 1 == moves.size();
      if (last && fault_ == Fault::last_move) continue;
      const Move& source = last && fault_ == Fault::wrong_edge ? moves[0] : moves[i];
      const std::size_t lost = last && fault_ == Fault::last_byte ? 1 : 0;
      std::memcpy(site_.destination(moves[i], field), site_.source(source, field), moves[i].bytes - lost);
    }
  }
  void finish_moves(int) override {}
  TransportTraits traits() const override { return {}; }

 private:
  Fault fault_;
};

void carry(BadTransport::Fault fault, int blocks) {
  Exchange exchange(three_slabs(), {.bytes = 1024, .blocks = blocks});
  exchange.connect(2, Directions::both);
  BadTransport halo(exchange.site(), fault);
  microseconds_per_exchange(exchange, halo, "bad", once);
}

TEST(BenchExchange, AcceptsAWayThatCarriesEveryByte) {
  for (const int blocks : {1, 5}) EXPECT_NO_THROW(carry(BadTransport::Fault::none, blocks));
}

TEST(BenchExchange, CatchesAWayThatLosesAByteABlockOrTakesAnotherEdge) {
  using Fault = BadTransport::Fault;
  for (const int blocks : {1, 5})
    for (const Fault fault : {Fault::last_byte, Fault::last_move, Fault::wrong_edge})
      EXPECT_THROW(carry(fault, blocks), Error) << blocks << " blocks, fault " << int(fault);
}

TEST(BenchExchange, BlocksLieApartAndAddUpToTheBytesAskedFor) {
  Exchange exchange(three_slabs(), {.bytes = 1024, .blocks = 5});
  exchange.connect(1, Directions::one);
  const auto moves = exchange.site().plan.moves;
  ASSERT_EQ(moves.size(), 5u);
  EXPECT_EQ(exchange.site().plan.bytes(), 1024u);
  for (std::size_t i = 1; i < moves.size(); ++i)
    EXPECT_GT(moves[i].source_offset, moves[i - 1].source_offset + moves[i - 1].bytes);
}

TEST(BenchExchange, FollowsTheMovesOfARunsPlan) {
  Exchange exchange(three_slabs(), {.bytes = 320});
  const ExchangePlan plan = plan_of_stacked({4, 4, 4}, 160, true);
  exchange.follow(plan);
  const auto moves = exchange.site().plan.moves;
  ASSERT_EQ(moves.size(), 6u);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(moves[i].source_slab, plan.moves[i].source_slab);
    EXPECT_EQ(moves[i].destination_slab, plan.moves[i].destination_slab);
    EXPECT_EQ(moves[i].bytes, plan.moves[i].bytes);
  }
}

TEST(BenchExchange, EveryWayOfTheProcessorCarriesItsBytes) {
  const Placement placement = three_slabs();
  for (const auto& way : ways_of(placement)) {
    Exchange exchange(placement, {.bytes = 4096, .blocks = 5});
    exchange.connect(2, Directions::both);
    const auto halo = make_way(way, placement, exchange.site());
    EXPECT_GT(microseconds_per_exchange(exchange, *halo, way, once).median, 0) << way;
  }
}

SolverSettings three_side_by_side(DeviceKind device, Precision precision) {
  SolverSettings box;
  box.grid.cells = {11, 26, 9};
  box.precision = precision;
  box.device = device;
  box.slabs = box.cut_y = 3;
  return box;
}

void carry_rows(const SolverSettings& box) {
  const Placement placement = place_slabs(box);
  for (const auto& way : ways_of(placement)) {
    const Exchange exchange(placement, box);
    const auto halo = make_way(way, placement, exchange.site());
    EXPECT_GT(microseconds_per_exchange(exchange, *halo, way, once).median, 0) << way;
    exchange.poison();
    EXPECT_THROW(exchange.require_arrived(way), Error) << "rows that were not sent";
  }
}

TEST(BenchExchange, CarriesRowsOfSlabsSideBySide) {
  for (const Precision precision : {Precision::single, Precision::double_})
    carry_rows(three_side_by_side(DeviceKind::cpu, precision));
}

class GpuBenchExchange : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  }
};

TEST_F(GpuBenchExchange, EveryWayCarriesItsBytes) {
  const int slabs = std::max<int>(2, static_cast<int>(cuda_devices().size()));
  const Placement placement = chain_of({.device = "cuda", .slabs = slabs}, DeviceKind::cuda);
  for (const auto& way : ways_of(placement))
    for (const int blocks : {1, 5}) {
      Exchange exchange(placement, {.bytes = 40968, .blocks = blocks});
      exchange.connect(slabs - 1, Directions::both);
      const auto halo = make_way(way, placement, exchange.site());
      EXPECT_GT(microseconds_per_exchange(exchange, *halo, way, once).median, 0) << way;
    }
}

TEST_F(GpuBenchExchange, CarriesRowsOfSlabsSideBySide) {
  for (const Precision precision : {Precision::single, Precision::double_})
    carry_rows(three_side_by_side(DeviceKind::cuda, precision));
}

}  // namespace
}  // namespace tayra
