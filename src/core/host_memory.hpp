// How much memory the machine has left.
#pragma once

#include <cstdint>

namespace tayra {

/// Bytes of this machine's memory that programs may still take.
std::uint64_t host_memory_available();

}  // namespace tayra
