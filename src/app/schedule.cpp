// Cadences, batches and the end of a run.
#include "app/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace tayra {

bool is_reached(double time, double target) { return time >= target * (1 - 1e-12); }

double Occasions::time_of(std::int64_t number) const {
  return std::stod(fmt::format("{:.15g}", static_cast<double>(number) * *cadence_.every_time));
}

bool Occasions::take(std::int64_t step, double time) {
  bool due = cadence_.every_steps && step % *cadence_.every_steps == 0;
  for (; cadence_.every_time && is_reached(time, next_time()); ++next_) due = true;
  return due;
}

void Occasions::skip(double time) {
  while (cadence_.every_time && is_reached(time, next_time())) ++next_;
}

bool Occasions::fall_on(std::int64_t step, double time) const {
  return (cadence_.every_steps && step % *cadence_.every_steps == 0) ||
         (cadence_.every_time && is_reached(time_of(next_ - 1), time));
}

Stretch Occasions::shortened(Stretch stretch, std::int64_t step) const {
  if (cadence_.every_steps)
    stretch.steps = std::min(stretch.steps, *cadence_.every_steps - step % *cadence_.every_steps);
  if (cadence_.every_time && !is_reached(next_time(), stretch.until)) stretch.until = next_time();
  return stretch;
}

bool CheckpointOccasions::has_come() const {
  const std::chrono::duration<double> passed = now_() - last_;
  return settings_.every_minutes && passed.count() >= 60 * *settings_.every_minutes;
}

bool CheckpointOccasions::take(std::int64_t step, bool by_clock) {
  if (settings_.keep == 0) return false;
  const bool due = by_clock || (settings_.every_steps && step % *settings_.every_steps == 0);
  if (due) last_ = now_();
  return due;
}

Stretch CheckpointOccasions::shortened(Stretch stretch, std::int64_t step) const {
  if (settings_.every_steps && settings_.keep > 0)
    stretch.steps = std::min(stretch.steps, *settings_.every_steps - step % *settings_.every_steps);
  return stretch;
}

void PictureOccasions::note_taken(double seconds) {
  constexpr double between = 99;  // of what they take themselves
  const std::chrono::duration<double> pause(std::max(every_seconds_ - seconds, between * seconds));
  next_ = now_() + std::chrono::duration_cast<WallClock::duration>(pause);
}

void Pace::learn(std::int64_t steps, double seconds) {
  constexpr double longest_batch = 0.2;  // seconds
  constexpr std::int64_t most_steps = 1000;
  if (steps == 0) return;
  const double affordable = longest_batch * static_cast<double>(steps) / std::max(seconds, 1e-9);
  steps_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(affordable, 1e9)), 1, most_steps);
}

bool is_over(const RunLimits& limits, std::int64_t step, double time) {
  return (limits.steps && step >= *limits.steps) || (limits.time && is_reached(time, *limits.time));
}

Stretch stretch_to_end(const RunLimits& limits, std::int64_t step, std::int64_t steps) {
  return {.steps = limits.steps ? std::min(steps, *limits.steps - step) : steps,
          .until = limits.time.value_or(std::numeric_limits<double>::infinity())};
}

}  // namespace tayra
