// One run at a time writes into a directory.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace tayra {

/// Throws as a RunLock without patience does if a run has the directory, which must exist. Keeps nobody out.
void require_not_under_way(const std::string& directory);

/// Held against other processes of the node, however this one ends; where a file system knows no locks
/// nothing is held.
class RunLock {
 public:
  /// Makes the directory and those above it, which go again with the lock if nothing was put into them.
  /// Throws Error(bad_input) if another still has it after so long; says once that it has to wait.
  RunLock(
      const std::string& directory, std::chrono::milliseconds patience,
      const std::function<void()>& say_waiting = [] {});
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  void take(std::chrono::steady_clock::time_point until, const std::function<void()>& say_waiting);
  /// Another that held it may have taken it away meanwhile.
  bool is_still_there() const;

  std::filesystem::path path_, existing_;  // the directory, and what of it was there before
  int directory_ = -1;
};

}  // namespace tayra
