// One run at a time writes into a directory.
#pragma once

#include <chrono>
#include <string>

namespace tayra {

/// Held against other processes of the node, however this one ends; where a file system knows no locks
/// nothing is held.
class RunLock {
 public:
  /// Makes the directory, which goes again with the lock if it is new and nothing was put into it. Throws
  /// Error(bad_input) if another still has it after so long.
  RunLock(const std::string& directory, std::chrono::milliseconds patience);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::string path_;
  bool is_new_;
  int directory_;
};

}  // namespace tayra
