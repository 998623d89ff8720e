// Relaxed stores: a look at another rank may be a moment old.
#include "grid/rank_work.hpp"

#include <array>
#include <chrono>

namespace tayra {
namespace {

/// The same clock in all processes of a node.
std::int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const char* name_of(Phase phase) {
  constexpr std::array names{"setting up",
                             "computing",
                             "exchanging planes",
                             "merging the ranks' reports of a step",
                             "reading planes of the flow",
                             "writing"};
  return names[static_cast<std::size_t>(phase)];
}

}  // namespace

Phase RankWork::begin(Phase phase) {
  const Phase before = phase_.exchange(phase, std::memory_order_relaxed);
  if (phase != before) since_.store(nanoseconds_now(), std::memory_order_relaxed);
  return before;
}

std::string RankWork::description() const {
  const std::int64_t tenths = (nanoseconds_now() - since_.load(std::memory_order_relaxed)) / 100'000'000;
  return std::string(name_of(phase_.load(std::memory_order_relaxed))) + " at step " +
         std::to_string(step_.load(std::memory_order_relaxed)) + " for " + std::to_string(tenths / 10) + "." +
         std::to_string(tenths % 10) + " s";
}

}  // namespace tayra
