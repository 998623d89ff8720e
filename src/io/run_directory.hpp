// The directory of a run: where its files lie, and that earlier results are never lost by accident.
#pragma once

#include <string>

namespace tayra {

enum class ExistingResults { refuse, replace };

class RunDirectory {
 public:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}

  /// Throws Error(bad_input) if the run can't be put here; changes nothing on the disk.
  void check(ExistingResults existing) const;
  /// check(), then removes earlier results of Tayra (by name: nothing else is touched) and makes the folders.
  void create(ExistingResults existing) const;

  const std::string& path() const { return path_; }
  std::string config() const { return path_ + "/config.yaml"; }
  std::string record() const { return path_ + "/run.json"; }
  std::string timings() const { return path_ + "/timings.csv"; }
  std::string diagnostics() const { return path_ + "/diagnostics.csv"; }
  std::string snapshots() const { return path_ + "/snapshots"; }

 private:
  std::string path_;
};

}  // namespace tayra
