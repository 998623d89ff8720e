// What a rank is at, in memory that the other ranks of its node see: their watchdogs look at it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace tayra {

/// At its files: nobody can know how long that takes. All ranks are there together; who is done waits there.
enum class Phase { setting_up, computing, exchanging, merging, at_files };

/// Seconds after which who is waited for is taken for lost, unless told otherwise.
inline constexpr double usual_timeout = 60;

/// Whom a rank waits for, where that is no rank by its number.
inline constexpr int some_rank = -1, own_gpu = -2;

/// Of the node's clock, which all its processes share.
std::int64_t nanoseconds_now();

/// A rank's work as it is seen at a moment; times are nanoseconds_now().
struct SeenWork {
  Phase phase = Phase::setting_up;
  std::int64_t phase_since = 0;
  std::int64_t step = 0;
  std::int64_t waits_since = 0;  // zero: it does not wait
  int awaited = some_rank;
  std::int64_t heartbeat = 0;  // the last
  bool is_over = false;        // no other is due
};

/// "exchanging planes at step 12 for 3.1 s"
std::string description(const SeenWork& work, std::int64_t now);

class RankWork {
 public:
  /// Returns the phase before.
  Phase begin(Phase phase);
  void begin_step(std::int64_t step) { step_.store(step, relaxed); }
  /// Returns since when it waited before.
  std::int64_t wait_since(std::int64_t since) { return waits_since_.exchange(since, relaxed); }
  void await(int rank) { awaited_.store(rank, relaxed); }
  void beat() { heartbeat_.store(nanoseconds_now(), relaxed); }
  void end() { is_over_.store(true, relaxed); }
  /// True for the first who asks: one speaks for all ranks of a node.
  bool take_the_word() { return !word_is_taken_.exchange(true); }
  SeenWork look() const;

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;  // a look may be a moment old

  std::atomic<Phase> phase_{Phase::setting_up};
  std::atomic<std::int64_t> phase_since_{nanoseconds_now()}, step_{0}, waits_since_{0},
      heartbeat_{nanoseconds_now()};
  std::atomic<int> awaited_{some_rank};
  std::atomic<bool> is_over_{false}, word_is_taken_{false};
};

}  // namespace tayra
