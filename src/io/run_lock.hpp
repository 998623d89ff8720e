// One run at a time writes into a directory.
#pragma once

#include <chrono>
#include <string>

namespace tayra {

/// Held by the first rank's process for as long as it lives, however it ends. Where a file system knows no
/// locks nothing is held.
class RunLock {
 public:
  /// Makes the directory. Waits a little, for a run that was killed may take seconds to end; then throws
  /// Error(bad_input).
  explicit RunLock(const std::string& directory,
                   std::chrono::milliseconds patience = std::chrono::seconds(5));
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int directory_;
};

}  // namespace tayra
