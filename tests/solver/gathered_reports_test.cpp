// Slabs of a GPU post side by side, and all find what every GPU has.
#include "solver/gathered_reports.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace tayra {
namespace {

/// Three GPUs, of which this one is the second and the others gave what they are told to.
class ThreeGpus final : public Halo {
 public:
  void send(int) override {}
  void wait(int) override {}
  bool can_be_recorded() const override { return true; }
  int gathering_gpus() const override { return 3; }
  void gather_to_all(const std::vector<GatherPart>& parts) override {
    for (const GatherPart& part : parts) {
      auto* all = static_cast<std::byte*>(part.all);
      std::memcpy(all, &first, sizeof first);
      std::memcpy(all + part.bytes, part.mine, part.bytes);
      std::memcpy(all + 2 * part.bytes, &last, sizeof last);
    }
  }

  SlabReport first, last;  // of a slab each: the second place of those GPUs stays empty
};

class GatheredReportsOfTwoSlabs : public ::testing::Test {
 protected:
  SlabReport sum_found_by(std::size_t slab) const { return sum_reports(reports_.posts_of_all(slab), turn_); }

  /// A step, as slabs of this GPU that found these end it.
  void post_and_gather(const SlabReport& one, const SlabReport& other) {
    const SlabReport found[2] = {one, other};
    for (std::size_t slab = 0; slab < 2; ++slab) {
      StepClock clock;
      clock.turn = ++turn_;
      clock.found = found[slab];
      post_report(clock, reports_.posts(slab), reports_.place(slab));
    }
    reports_.gather_by(halo_);
  }

  Queue queues_[2] = {Queue(Device{}), Queue(Device{})};
  ThreeGpus halo_;
  GatheredReports reports_{{&queues_[0], &queues_[1]}, halo_.gathering_gpus()};
  unsigned turn_ = 0;
};

TEST_F(GatheredReportsOfTwoSlabs, AreTheSameForBothAndHoldThoseOfEveryGpu) {
  halo_.first = {3, 40, 100};
  halo_.last = {5, 30, 1000};
  post_and_gather({4, 20, 1}, {2, 50, 10});
  for (const std::size_t slab : {0, 1}) {
    EXPECT_EQ(sum_found_by(slab).signal_rate, 5);
    EXPECT_EQ(sum_found_by(slab).bad_cell, 20);
    EXPECT_EQ(sum_found_by(slab).limited_faces, 1111u);
  }
}

TEST_F(GatheredReportsOfTwoSlabs, AreThoseOfTheLastStepAlone) {
  halo_.first = {9, 1, 5};
  post_and_gather({8, 7, 2}, {1, no_cell, 4});
  halo_.first = {};
  post_and_gather({1, no_cell, 0}, {2, no_cell, 3});
  EXPECT_EQ(sum_found_by(1).signal_rate, 2);
  EXPECT_EQ(sum_found_by(1).bad_cell, no_cell);
  EXPECT_EQ(sum_found_by(1).limited_faces, 3u);
}

TEST(SumOfReports, OfEveryThirdPlaceAddUpToThatOfAll) {
  std::vector<SlabReport> row;
  for (int i = 0; i < 7; ++i) row.push_back({double(i % 5), i == 4 ? 12 : no_cell, 1ull << i});
  const Mailbox mailbox{row.data(), 7, 1};
  SlabReport sum;
  for (int first = 0; first < 3; ++first) merge(sum, sum_reports(mailbox, 0, first, 3));
  EXPECT_EQ(sum.signal_rate, 4);
  EXPECT_EQ(sum.bad_cell, 12);
  EXPECT_EQ(sum.limited_faces, 127u);
}

}  // namespace
}  // namespace tayra
