// Slabs of a step find what all have published in it, and nothing of another step.
#include "halo/reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "halo/gathered_reports.hpp"

namespace tayra {
namespace {

/// What a slab of the CPU does at the end of a step, but for its clock.
class EndOfSteps final : public StepEnd {
 public:
  SlabReport found, merged;

  const Queue& end_queue() const override { return queue_; }
  void publish(const ReportTable& table, int place) override { table.row(epoch_)[place] = found; }
  void end_step(const ReportTable& table) override { merged = merged_reports(table, epoch_++); }
  void publish_and_end_step(const ReportSlots&) override {}

 private:
  Queue queue_{Device{}};
  unsigned epoch_ = 0;
};

class ReductionOfTwoSlabs : public ::testing::Test {
 protected:
  std::vector<HaloSlab> slabs() {
    return {{{}, &one_.end_queue(), &one_}, {{}, &other_.end_queue(), &other_}};
  }
  void expect_both_find(double rate, std::int64_t bad_cell, unsigned long long faces) const {
    for (const EndOfSteps* slab : {&one_, &other_}) {
      EXPECT_EQ(slab->merged.signal_rate, rate);
      EXPECT_EQ(slab->merged.bad_cell, bad_cell);
      EXPECT_EQ(slab->merged.limited_faces, faces);
    }
  }

  EndOfSteps one_, other_;
};

TEST_F(ReductionOfTwoSlabs, OfAProcessByItselfGoesThroughATableAndGivesBothTheSum) {
  const Reduction reduction({{}, {0, 0}, 0, slabs()});
  const ReductionWay way = reduction.way({});
  EXPECT_EQ(way, ReductionWay::table);
  for (int step = 1; step <= 3; ++step) {
    one_.found = {2. * step, 70, 3};
    other_.found = {1. * step, 40 + step, 4};
    reduction.enqueue(way);
    expect_both_find(2. * step, 40 + step, 7);
  }
}

/// Three GPUs of which this one, with both slabs, is the second; the others have a slab each.
class GatheredReportsOfTwoSlabs : public ReductionOfTwoSlabs {
 protected:
  void step() {
    reports_.publish();
    for (const GatheredReports::Gpu& gpu : reports_.gpus()) {
      auto* all = reinterpret_cast<std::byte*>(gpu.of_all.data());
      std::memcpy(all, &first_, sizeof first_);
      std::memcpy(all + gpu.published.bytes(), gpu.published.data(), gpu.published.bytes());
      std::memcpy(all + 2 * gpu.published.bytes(), &last_, sizeof last_);
    }
    reports_.end_step();
  }

  SlabReport first_, last_;
  GatheredReports reports_{slabs(), 3};
};

TEST_F(GatheredReportsOfTwoSlabs, AreTheSameForBothAndHoldThoseOfEveryGpu) {
  first_ = {3, 40, 100};
  last_ = {5, 30, 1000};
  one_.found = {4, 20, 1};
  other_.found = {2, 50, 10};
  step();
  expect_both_find(5, 20, 1111);
}

TEST_F(GatheredReportsOfTwoSlabs, AreThoseOfTheLastStepAlone) {
  first_ = {9, 1, 5};
  one_.found = {8, 7, 2};
  other_.found = {1, no_cell, 4};
  step();
  first_ = {};
  one_.found = {1, no_cell, 0};
  other_.found = {2, no_cell, 3};
  step();
  expect_both_find(2, no_cell, 3);
}

// One slab may be a whole step ahead of another that has not read the last reports yet.
TEST(ReportTable, KeepsTheLastReportsWhileTheNextAreBeingPublished) {
  std::array<SlabReport, 2> rows{};
  const ReportTable table{rows.data(), 1};
  table.row(0)[0].signal_rate = 8;
  table.row(1)[0].signal_rate = 9;
  EXPECT_EQ(merged_reports(table, 0).signal_rate, 8);
  EXPECT_EQ(merged_reports(table, 1).signal_rate, 9);
}

TEST(MergedReports, OfEveryThirdPlaceAddUpToThatOfAll) {
  std::vector<SlabReport> row;
  for (int i = 0; i < 7; ++i) row.push_back({double(i % 5), i == 4 ? 12 : no_cell, 1ull << i});
  const ReportTable table{row.data(), 7, 1};
  SlabReport sum;
  for (int first = 0; first < 3; ++first) merge(sum, merged_reports(table, 0, first, 3));
  EXPECT_EQ(sum.signal_rate, 4);
  EXPECT_EQ(sum.bad_cell, 12);
  EXPECT_EQ(sum.limited_faces, 127u);
}

// A tree of ranks merges them as they come.
TEST(MergedReports, AreTheSameInEveryOrderAndGrouping) {
  const std::array<SlabReport, 4> reports{{{0.1, no_cell, 1}, {0.3, 7, 20}, {0.2, 5, 0}, {0, no_cell, 300}}};
  std::array<int, 4> order{0, 1, 2, 3};
  do {
    SlabReport all, pairs[2];
    for (int i = 0; i < 4; ++i) merge(pairs[i / 2], reports[order[i]]);
    for (const SlabReport& pair : pairs) merge(all, pair);
    EXPECT_EQ(all.signal_rate, 0.3);
    EXPECT_EQ(all.bad_cell, 5);
    EXPECT_EQ(all.limited_faces, 321u);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace tayra
