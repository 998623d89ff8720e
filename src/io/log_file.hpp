// A text file that only grows, as logs do; every batch is on its way to the disk before append() returns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/descriptor.hpp"

namespace tayra {

/// The step of the last row that an earlier part of the run leaves in a log; unset: the log starts anew.
using LastRow = std::optional<std::int64_t>;

/// Rows start with their step.
class LogFile {
 public:
  /// Rows after `last` are cut away. Throws Error(failed) that names path and reason, as the others do.
  LogFile(std::string path, const std::string& header, LastRow last = {});
  /// What could not be written is tried again next time, and no half row stays behind.
  void append(const std::string& lines);
  /// What was appended survives a power failure from now on.
  void sync();

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::string pending_;
  std::uint64_t size_;  // of what was written whole
  Descriptor file_;
};

}  // namespace tayra
