// Phases in words, and looks at others.
#include "grid/rank_work.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace tayra {
namespace {

const char* name_of(Phase phase) {
  constexpr std::array names{"setting up", "computing", "exchanging planes",
                             "merging the ranks' reports of a step", "at its files"};
  return names[static_cast<std::size_t>(phase)];
}

}  // namespace

std::int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string description(const SeenWork& work, std::int64_t now) {
  return fmt::format("{} at step {} for {:.1f} s", name_of(work.phase), work.step,
                     1e-9 * static_cast<double>(now - work.phase_since));
}

Phase RankWork::begin(Phase phase) {
  const Phase before = phase_.exchange(phase, relaxed);
  if (phase != before) phase_since_.store(nanoseconds_now(), relaxed);
  return before;
}

SeenWork RankWork::look() const {
  return {.phase = phase_.load(relaxed),
          .phase_since = phase_since_.load(relaxed),
          .step = step_.load(relaxed),
          .waits_since = waits_since_.load(relaxed),
          .awaited = awaited_.load(relaxed),
          .heartbeat = heartbeat_.load(relaxed),
          .is_over = is_over_.load(relaxed)};
}

}  // namespace tayra
