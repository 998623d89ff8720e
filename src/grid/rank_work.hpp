// What a rank is at, in memory that others of its node see: so it can be told of one that hangs.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace tayra {

enum class Phase { setting_up, computing, exchanging, merging, reading, writing };

class RankWork {
 public:
  /// Returns the phase before.
  Phase begin(Phase phase);
  void begin_step(std::int64_t step) { step_.store(step, std::memory_order_relaxed); }

  /// "writing at step 12 for 3.1 s"
  std::string description() const;

 private:
  std::atomic<Phase> phase_{Phase::setting_up};
  std::atomic<std::int64_t> step_{0};
  std::atomic<std::int64_t> since_{0};  // nanoseconds of the node's clock
};

}  // namespace tayra
