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
  void write_waiting() { file_.write_waiting(); }
  bool has_waiting() const { return file_.has_waiting(); }
  void sync() { file_.sync(); }
  /// Of what an earlier part of the run wrote.
  const std::vector<MissingRows>& missing() const { return file_.missing(); }

 private:
  LogFile file_;
};

/// slab_timings.csv: one row a step and slab.
class SlabTimingsLog {
 public:
  explicit SlabTimingsLog(const std::string& path, LastRow last = {});
  void append(std::span<const StepRecord> records);
  void write_waiting() { file_.write_waiting(); }
  bool has_waiting() const { return file_.has_waiting(); }
  void sync() { file_.sync(); }

 private:
  LogFile file_;
};

}  // namespace tayra
