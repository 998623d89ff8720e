// Snapshots: the box, or a part of it, at one time as an HDF5 file that ParaView and any HDF5 tool open.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "io/common_file.hpp"
#include "io/config.hpp"
#include "io/snapshot_file.hpp"
#include "io/writers.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Lists the first `count` snapshots of a folder anew, as far as they are there.
std::vector<SnapshotEntry> list_anew(const std::string& directory, std::int64_t count);

class SnapshotWriter {
 public:
  /// `directory` must exist on the first rank.
  SnapshotWriter(const Config& config, const SnapshotSettings& settings, std::string directory,
                 Writers& writers);
  /// Those to come are listed after the first `count`. Whether the last of these is there and whole.
  bool go_on_after(std::int64_t count);
  /// Reads the state that the last finish() left and has the writers write it and list it for ParaView. All
  /// ranks at once. What fails there names path and reason, and leaves no half file.
  void write(Simulation& simulation, std::int64_t number);
  // Of many small snapshots not each is listed at once:
  /// has the thread list those that the lists lack, if that is due;
  void keep_lists_up();
  /// has it list them in any case.
  void complete_lists();
  /// Path of the last snapshot that was written whole; empty before the first. Only while the writers rest.
  std::string last() const;

 private:
  void list_if_due();
  void list_all();
  void stock_memory(SlabRange mine);

  SnapshotPlan plan_;
  std::string directory_;
  Writers& writers_;
  // The thread's:
  std::vector<SnapshotEntry> written_;
  std::chrono::steady_clock::time_point lists_due_ = {};

  std::atomic<bool> lists_lag_ = false, asked_for_lists_ = false;
  bool stocked_ = false;
};

}  // namespace tayra
