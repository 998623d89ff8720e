// When a run's output is due, and how far it may go before that.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "io/config.hpp"

namespace tayra {

/// What the simulation may do before something is due.
struct Stretch {
  std::int64_t steps;
  double until;
};

/// Times that differ by no more than round-off are one: 3 × 0.1 and 0.3.
bool is_reached(double time, double target);

/// One cadence on its way through a run. The k-th time is k × every_time, so nothing drifts, to 15 digits:
/// 0.3 is the third of 0.1 s.
class Occasions {
 public:
  explicit Occasions(const Cadence& cadence) : cadence_(cadence) {}

  /// Whether one falls on this state; each is taken once.
  bool take(std::int64_t step, double time);
  /// Those up to this state count as taken, as in the part of the run before it.
  void skip(double time);
  /// Whether the last that was taken or skipped, or a number of steps, falls on this state.
  bool fall_on(std::int64_t step, double time) const;
  /// The part of `stretch` that ends at the next one.
  Stretch shortened(Stretch stretch, std::int64_t step) const;

 private:
  double time_of(std::int64_t number) const;
  double next_time() const { return time_of(next_); }

  Cadence cadence_;
  std::int64_t next_ = 1;
};

/// Checkpoints are due by steps and by the time that went by on the wall.
class CheckpointOccasions {
 public:
  using WallClock = std::chrono::steady_clock;

  explicit CheckpointOccasions(const CheckpointSettings& settings,
                               std::function<WallClock::time_point()> now = WallClock::now)
      : settings_(settings), now_(std::move(now)), last_(now_()) {}

  /// Whether one is due by the time on the wall, which is another on every rank.
  bool has_come() const;
  /// Whether one is due at the step, or by the clock of some rank.
  bool take(std::int64_t step, bool by_clock);
  Stretch shortened(Stretch stretch, std::int64_t step) const;

 private:
  CheckpointSettings settings_;
  std::function<WallClock::time_point()> now_;
  WallClock::time_point last_;
};

/// Pictures are due by the time on the wall, and take at most a hundredth of it.
class PictureOccasions {
 public:
  using WallClock = std::chrono::steady_clock;

  /// Zero seconds: never.
  explicit PictureOccasions(double every_seconds, std::function<WallClock::time_point()> now = WallClock::now)
      : every_seconds_(every_seconds), now_(std::move(now)) {
    note_taken(0);
  }

  bool have_come() const { return every_seconds_ > 0 && now_() >= next_; }
  void note_taken(double seconds);

 private:
  double every_seconds_;
  std::function<WallClock::time_point()> now_;
  WallClock::time_point next_;
};

/// How many steps make a batch: short enough for a prompt Ctrl-C, long enough that waiting costs nothing.
class Pace {
 public:
  std::int64_t steps() const { return steps_; }
  void learn(std::int64_t steps, double seconds);

 private:
  std::int64_t steps_ = 1;
};

bool is_over(const RunLimits& limits, std::int64_t step, double time);
/// At most `steps`, and not beyond the end of the run.
Stretch stretch_to_end(const RunLimits& limits, std::int64_t step, std::int64_t steps);

}  // namespace tayra
