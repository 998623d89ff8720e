// Work that grows with a run, done again and again without taking most of its time.
#pragma once

#include <algorithm>
#include <chrono>

namespace tayra {

/// At most a twentieth of the time goes into the work, unless it takes longer than seconds; the first time it
/// is due at once.
class Rationed {
 public:
  using Clock = std::chrono::steady_clock;

  bool is_due(Clock::time_point now) const { return now >= due_; }
  void note_done(Clock::time_point begin, Clock::time_point end) {
    constexpr Clock::duration longest_pause = std::chrono::minutes(1);
    due_ = end + std::min(20 * (end - begin), longest_pause);
  }

 private:
  Clock::time_point due_ = Clock::time_point::min();
};

}  // namespace tayra
