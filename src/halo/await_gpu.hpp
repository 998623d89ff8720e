// Waiting, with a limit, for GPUs that wait for other ranks.
#pragma once

#include <chrono>
#include <thread>

#include "core/device.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {

/// Waits until `holds()`. Throws Error(lost) only after twice the patience (in seconds), so that GPUs with a
/// limit of their own, which know the late rank, report first.
template <class Condition>
void await_a_gpu(Condition holds, double patience) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(2 * patience);
  for (; !holds(); std::this_thread::yield())
    require(std::chrono::steady_clock::now() < limit, ExitCode::lost,
            "a GPU has waited too long for another rank (it hangs or has died): the run is given up");
}

/// Waits until all that is enqueued is done.
inline void await_done(const Queue& queue, double patience) {
  if (ranks().size() == 1) return queue.synchronize();
  await_a_gpu([&] { return queue.is_done(); }, patience);
}

}  // namespace tayra
