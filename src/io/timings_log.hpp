// timings.csv: one row a step, what it took and where the time went.
#pragma once

#include <span>
#include <string>

#include "io/log_file.hpp"
#include "solver/simulation.hpp"

namespace tayra {

class TimingsLog {
 public:
  explicit TimingsLog(const std::string& path, LastRow last = {});
  /// Rows for `records`; `io_ms`, the time that output took from the flow since the last row, goes to the
  /// first.
  void append(std::span<const StepRecord> records, double io_ms);
  LogFile& file() { return file_; }

 private:
  LogFile file_;
};

/// slab_timings.csv: one row a step and slab.
class SlabTimingsLog {
 public:
  explicit SlabTimingsLog(const std::string& path, LastRow last = {});
  void append(std::span<const StepRecord> records);
  LogFile& file() { return file_; }

 private:
  LogFile file_;
};

}  // namespace tayra
