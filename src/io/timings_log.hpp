// timings.csv: one row a step, what it took and where the time went; slab_timings.csv: one a step and slab.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "solver/simulation.hpp"

namespace tayra {

inline constexpr const char* timings_header =
    "step,time,dt,wall_ms,compute_ms,comm_ms,exposed_ms,io_ms,bytes_sent";
/// `io_ms`, the time that output took from the flow since the last row, goes to the first.
std::string timings_rows(std::span<const StepRecord> records, double io_ms);

inline constexpr const char* slab_timings_header = "step,slab,compute_ms,comm_ms,exposed_ms";
/// Where there are more slabs, only the last of the records is logged: else the first rank would write rows
/// for longer than others compute.
inline constexpr std::size_t most_slabs_of_every_step = 64;
std::string slab_timings_rows(std::span<const StepRecord> records);

}  // namespace tayra
