// What ranks that wait for long tell each other: that they live, and whether they are at their own files.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace tayra {

/// At files: busy for as long as the disk takes, which nobody can know.
enum class Sign : int { waiting, at_files };

/// Only short waits are silent, so a run that goes well sends nothing.
class SignsOfLife {
 public:
  using WallClock = std::chrono::steady_clock;

  /// To be called again and again in a wait that began at `since`; now and then it tells all and hears all.
  void exchange(Sign mine, WallClock::time_point since);
  /// When some rank last said that it is at its files.
  WallClock::time_point last_at_files() const { return last_at_files_; }
  /// A rank that nothing has come from for longer than the patience, in a wait that began at `since`.
  std::optional<int> silent_rank(WallClock::time_point since) const;

 private:
  void tell_all(Sign mine) const;
  void hear_all(bool counts);

  WallClock::time_point last_exchange_{}, last_at_files_{};
  std::vector<WallClock::time_point> heard_;  // by rank
};

}  // namespace tayra
