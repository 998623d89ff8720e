// A simulation whose steps are no work and take what they are told to, for tests of who times them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "io/fake_simulation.hpp"

namespace tayra {

/// Of two slabs; every second step takes three times as long.
class TimedSimulation final : public FakeSimulation {
 public:
  explicit TimedSimulation(const Grid& grid)
      : FakeSimulation(grid, 0, [this](int, int, int) {
          return std::array{1. + steps_, 0., 0., 0., 1.};
        }) {}

  void advance(std::int64_t count, double) override { enqueued_ = count; }
  std::vector<StepRecord> finish() override {
    std::vector<StepRecord> records;
    for (; enqueued_ > 0; --enqueued_) {
      const double longer = ++steps_ % 2 == 0 ? 3 : 1;
      StepRecord record;
      record.wall_ms = 4 * longer;
      record.slabs = {{3 * longer, 2 * longer, 0.5 * longer}, {1 * longer, 2.5 * longer, 1 * longer}};
      record.bytes_sent = 640;
      records.push_back(record);
    }
    return records;
  }

 private:
  std::int64_t enqueued_ = 0;
  int steps_ = 0;
};

}  // namespace tayra
