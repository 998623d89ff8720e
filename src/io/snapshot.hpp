// Snapshots: the box, or a part of it, at one time as an HDF5 file that ParaView and any HDF5 tool open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/snapshot_file.hpp"
#include "io/snapshot_index.hpp"
#include "io/writer_thread.hpp"
#include "solver/simulation.hpp"

namespace tayra {

class SnapshotWriter {
 public:
  /// `directory` must exist. The next one gets the number `next`; earlier ones that are there are listed with
  /// it.
  SnapshotWriter(const Config& config, const SnapshotSettings& settings, std::string directory,
                 WriterThread& thread, std::int64_t next = 0);
  /// Reads the state that the last finish() left and has the thread write it and list it for ParaView. What
  /// fails there names path and reason, and leaves no half file.
  void write(Simulation& simulation);
  /// The number of the next one.
  std::int64_t next() const { return next_; }
  /// Path of the last snapshot that was written whole; empty before the first. Only while the thread rests.
  std::string last() const;

 private:
  void list_earlier();
  void write_lists() const;

  SnapshotPlan plan_;
  std::string directory_;
  WriterThread& thread_;
  std::int64_t next_;
  std::vector<SnapshotEntry> written_;  // the thread's
};

}  // namespace tayra
