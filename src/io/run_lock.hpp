// One run at a time writes into a directory.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "io/file.hpp"

namespace tayra {

/// Throws as a RunLock without a timeout does if a run has the directory, which must exist. Keeps nobody out.
void require_not_under_way(const std::string& directory);

/// Held against other processes of the node, however this one ends; where a file system knows no locks
/// nothing is held.
class RunLock {
 public:
  /// Makes the directory and those above it, which go again with the lock if nothing was put into them.
  /// Throws Error(bad_input) if another still has it after so long; says once that it has to wait.
  RunLock(
      const std::string& directory, std::chrono::milliseconds timeout,
      const std::function<void()>& say_waiting = [] {});
  ~RunLock();

 private:
  void take(std::chrono::steady_clock::time_point until, const std::function<void()>& say_waiting);
  std::filesystem::path path_, existing_;  // the directory, and what of it was there before
  Descriptor directory_;
};

}  // namespace tayra
