// Whether a run fits.
#pragma once

#include <cstdint>

#include "io/config.hpp"

namespace tayra {

/// Bytes on each device. All ranks must call it together.
std::uint64_t memory_of_run(const Config& config);

/// Throws Error(bad_input) that says how much memory the run needs and how much there is, or which planes are
/// too large for a GPU.
void require_fit(const Config& config);

/// Throws Error(bad_input) where the process may not get the memory that output takes. HDF5 crashes without
/// it.
void require_room_for_output(const Config& config);

}  // namespace tayra
