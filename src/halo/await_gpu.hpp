// Waiting for GPUs that may wait for other ranks.
#pragma once

#include "core/device.hpp"
#include "grid/ranks.hpp"

namespace tayra {

/// Until all that is enqueued is done, or an event has happened.
template <class Work>
void await_done(const Work& work) {
  const Awaiting awaiting(own_gpu);
  work.synchronize();
}

}  // namespace tayra
