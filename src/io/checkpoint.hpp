// Checkpoints of a run: written one after the other, the newest kept, found again and loaded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/checkpoint_file.hpp"
#include "io/config.hpp"
#include "io/writers.hpp"
#include "solver/simulation.hpp"

namespace tayra {

class CheckpointWriter {
 public:
  /// `directory`: the folder `checkpoints` of the run, made when the first one is written.
  CheckpointWriter(const Config& config, std::string directory, Writers& writers);
  /// Reads what the last finish() left and has the writers write it: on the disk before it gets its name (its
  /// step), and only then all but the newest are removed. All ranks at once. What fails there names path and
  /// reason, and leaves no half file.
  void write(RunPosition position, Simulation& simulation);
  /// Later ones may hold an error that nobody has found yet: from the next write on the newest of the others
  /// is kept, too.
  void note_right(std::int64_t step) { right_ = step; }
  /// All but the newest, as after every write; a run that was killed there leaves one too many.
  void remove_older(std::int64_t right = INT64_MAX) const;

 private:
  Config config_;
  std::string directory_;
  std::int64_t right_ = INT64_MAX;
  Writers& writers_;
};

/// Paths of all checkpoints that have their final name, newest first.
std::vector<std::string> checkpoints_in(const std::string& directory);
/// The step in its name.
std::int64_t step_of_checkpoint(const std::string& path);

/// Moves a damaged checkpoint with its parts out of the way, into a folder `damaged` beside it, from which
/// Tayra removes nothing: the damage may be one of reading, or be fixed. Where it lies then.
std::string move_to_damaged(const std::string& path);

/// With all its parts. Throws DamagedCheckpoint, or Error(bad_input) naming the keys when the checkpoint is
/// of other physics.
CheckpointFile open_checkpoint(const std::string& path, const Config& config);
/// Puts this rank's planes into the simulation, all ranks at once: those that share planes wait for each
/// other. Throws DamagedCheckpoint at the end; the fields are then undefined.
void load_planes(const CheckpointFile& file, Simulation& simulation);

}  // namespace tayra
