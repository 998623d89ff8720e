// Rows of timings.csv and slab_timings.csv.
#include "io/timings_log.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tayra {

std::string timings_rows(std::span<const StepRecord> records, double io_ms) {
  fmt::memory_buffer rows;
  for (const StepRecord& r : records) {
    const SlabTimes times = longest(r);
    fmt::format_to(std::back_inserter(rows), "{},{:.17g},{:.17g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{}\n",
                   r.step, r.time, r.dt, r.wall_ms, times.compute_ms, times.comm_ms, times.exposed_ms, io_ms,
                   r.bytes_sent);
    io_ms = 0;
  }
  return fmt::to_string(rows);
}

std::string slab_timings_rows(std::span<const StepRecord> records) {
  fmt::memory_buffer rows;
  if (!records.empty() && records.back().slabs.size() > most_slabs_of_every_step) records = records.last(1);
  for (const StepRecord& r : records)
    for (std::size_t slab = 0; slab < r.slabs.size(); ++slab)
      fmt::format_to(std::back_inserter(rows), "{},{},{:.6g},{:.6g},{:.6g}\n", r.step, slab,
                     r.slabs[slab].compute_ms, r.slabs[slab].comm_ms, r.slabs[slab].exposed_ms);
  return fmt::to_string(rows);
}

}  // namespace tayra
