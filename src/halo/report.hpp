// What slabs tell each other at the end of a step, and where.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/number.hpp"

namespace tayra {

inline constexpr std::int64_t no_cell = INT64_MAX;

/// What a slab finds out in a step.
struct SlabReport {
  double signal_rate = 0;                // max over its cells, from the last stage
  std::int64_t bad_cell = no_cell;       // first cell that is not a gas any more
  unsigned long long limited_faces = 0;  // faces that the positivity limiter touched
};

TAYRA_HD void merge(SlabReport& sum, const SlabReport& part) {
  sum.signal_rate = maximum(sum.signal_rate, part.signal_rate);
  if (part.bad_cell < sum.bad_cell) sum.bad_cell = part.bad_cell;
  sum.limited_faces += part.limited_faces;
}

/// Rows with a place for each slab, in memory that their devices reach. Two rows alternate from step to step,
/// so that a slab may publish while another still reads the last row; where none can, one row is enough.
struct ReportTable {
  SlabReport* reports;
  int places;
  int rows = 2;

  TAYRA_HD SlabReport* row(unsigned epoch) const { return reports + (epoch % rows) * places; }
};

/// Of every `stride`th place from `first` on.
TAYRA_HD SlabReport merged_reports(const ReportTable& table, unsigned epoch, int first = 0, int stride = 1) {
  SlabReport sum;
  for (int place = first; place < table.places; place += stride) {
    const volatile SlabReport& read = table.row(epoch)[place];  // another device has just written it
    merge(sum, {read.signal_rate, read.bad_cell, read.limited_faces});
  }
  return sum;
}

/// A report with the epoch that it is for, counted from one: by that flag a reader knows that it has arrived.
struct ReportSlot {
  SlabReport report;
  unsigned epoch = 0;
};

/// More GPUs than a node has; a thread of one warp for each.
inline constexpr int most_report_slots = 32;

/// The slots of all slabs as a slab's GPU reaches them: each has two rows of them in its own GPU's memory,
/// and every slab publishes into all.
struct ReportSlots {
  std::array<ReportSlot*, most_report_slots> of_slab;
  int slabs;
  int slab;  // its own

  TAYRA_HD std::size_t place(unsigned epoch, int from) const { return std::size_t(epoch % 2) * slabs + from; }
};

}  // namespace tayra
