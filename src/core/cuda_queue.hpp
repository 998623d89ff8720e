// What a queue is to CUDA.
#pragma once

#include <cuda_runtime.h>

#include "core/device.hpp"

namespace tayra {

inline cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream()); }

}  // namespace tayra
