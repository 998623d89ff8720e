// Snapshots and checkpoints of a run, written and read by all ranks together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "io/checkpoint.hpp"
#include "io/config.hpp"
#include "io/pictures.hpp"
#include "io/run_directory.hpp"
#include "io/snapshot.hpp"
#include "io/writers.hpp"

namespace tayra {

/// Of a rank where the config names none, of so much that is free on its machine: most snapshots fit.
std::size_t usual_writer_memory(std::size_t free);

/// All ranks make the same calls.
class OutputFiles {
 public:
  /// Writes nothing yet; nothing of the directory need exist.
  OutputFiles(const Config& config, const RunDirectory& directory, Simulation& simulation);
  /// Finishes what is under way, also after a failure, which must be one of all ranks.
  ~OutputFiles() { complete_lists(); }

  /// `kind`: 0 for the whole box, then the parts of the config in their order.
  void write_snapshot(std::size_t kind, std::int64_t number);
  void write_checkpoint(const RunPosition& position);
  void make_pictures() { pictures_.make(simulation_); }
  /// Puts the fields and the clock into the simulation. Throws on all ranks what the first one that cannot
  /// read its planes says: DamagedCheckpoint (the fields are then undefined), or Error(bad_input) naming the
  /// keys when the checkpoint is of other physics.
  RunPosition load_checkpoint(const std::string& path);
  /// Publishes and lists what all ranks have written by now; waits for nothing.
  void keep_up();
  /// Until everything is written.
  void finish();

  // Of the first rank alone.
  SnapshotWriter& snapshots(std::size_t kind) { return snapshots_[kind]; }
  CheckpointWriter& checkpoints() { return checkpoints_; }
  Pictures& pictures() { return pictures_; }
  /// What failed since the last call.
  std::vector<Error> take_failures() { return writers_.take_failures(); }

 private:
  void complete_lists();

  const Config& config_;
  Simulation& simulation_;
  std::deque<SnapshotWriter> snapshots_;  // which stay where they are: threads have their addresses
  CheckpointWriter checkpoints_;
  Pictures pictures_;
  Writers writers_;  // the last: it ends before those that it writes for
};

/// Folders of the snapshots of each kind, in the run's directory.
std::vector<std::string> snapshot_folders(const Config& config);

}  // namespace tayra
