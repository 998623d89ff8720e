// Snapshots: the box at one time as an HDF5 file that ParaView and any HDF5 tool open.
#pragma once

#include <string>

#include "io/config.hpp"
#include "io/snapshot_index.hpp"
#include "solver/simulation.hpp"

namespace tayra {

class SnapshotWriter {
 public:
  /// `directory`: the folder `snapshots` of the run, which must exist.
  SnapshotWriter(const Config& config, std::string directory);
  /// Writes the next snapshot of what the last finish() left and lists it for ParaView; returns its path.
  /// Throws Error(failed) that names path and reason, and leaves no half file.
  std::string write(Simulation& simulation);
  /// Path of the last snapshot that was written whole; empty before the first.
  std::string last() const;

 private:
  void write_lists() const;

  Config config_;
  std::string directory_;
  SnapshotIndex index_;
};

}  // namespace tayra
