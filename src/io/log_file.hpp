// A text file that only grows, as logs do; every batch is on its way to the disk before append() returns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/file.hpp"

namespace tayra {

/// The step of the last row that an earlier part of the run leaves in a log; unset: the log starts anew.
using LastRow = std::optional<std::int64_t>;

enum class Rows { of_every_step, of_some_steps };

/// A gap in what an earlier part of the run wrote.
struct MissingRows {
  std::int64_t after;  // the step of the row before it; -1 where there is none
  std::int64_t up_to;
};

/// What a log goes on after.
struct KeptRows {
  std::uint64_t bytes = 0;  // with the header; zero without such a file
  std::int64_t step = -1;   // of the last row
  std::vector<MissingRows> missing = {};
};

/// Rows start with their step.
class LogFile {
 public:
  /// Rows after `last` are cut away. Throws Error(failed) that names path and reason, as the others do.
  LogFile(std::string path, const std::string& header, LastRow last = {}, Rows rows = Rows::of_some_steps);
  /// Gaps up to where the log goes on. Of a row for every step all, from step 0 on, though a branch's log
  /// begins later; else only the one at the end.
  const std::vector<MissingRows>& missing() const { return kept_.missing; }
  /// What could not be written waits for the next try, and no half row stays behind.
  void append(const std::string& lines);
  /// Tries again what waits.
  void write_waiting();
  bool has_waiting() const { return !waiting_.empty(); }
  const std::string& path() const { return path_; }
  /// What was written survives a power failure from now on.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::string waiting_;
  KeptRows kept_;
  std::uint64_t size_;  // of what was written whole
  Descriptor file_;
};

}  // namespace tayra
