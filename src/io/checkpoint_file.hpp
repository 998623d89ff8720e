// The HDF5 file of one checkpoint: the solver's own numbers, bit for bit, with checksums over all that is
// read back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/common_file.hpp"
#include "io/config.hpp"
#include "io/hdf5.hpp"
#include "solver/clock.hpp"

namespace tayra {

/// How far the snapshots of one kind have come.
struct SnapshotCount {
  std::int64_t written = 0;
  std::int64_t last_step = -1;
};

/// What a run needs beside the fields to go on as if it had never stopped.
struct RunPosition {
  StepClock clock;
  std::int64_t limited_faces = 0;                       // since the last row of diagnostics.csv
  std::int64_t last_diagnostics = -1;                   // step of that row
  std::int64_t last_statistics = -1;                    // step of the last row of statistics.h5
  std::optional<double> potential_energy = {};          // of GravityBooks
  std::map<std::string, SnapshotCount> snapshots = {};  // by their folder in the run's directory
};

struct CheckpointHead {
  RunPosition position;
  std::array<std::int64_t, 3> cells{};
  std::int64_t bytes_per_number = 8;
  int scalars = 0;
  std::string config;  // the part that decides the flow

  std::size_t plane_bytes() const;
};

CheckpointHead checkpoint_head(const Config& config, const RunPosition& position);

/// The message says what is wrong with the file; another one may be whole.
class DamagedCheckpoint : public Error {
 public:
  using Error::Error;
};

PlaneLayout checkpoint_layout(const CheckpointHead& head);
/// Makes the file with room for the planes.
Offsets make_checkpoint(const std::string& path, const CheckpointHead& head);

/// Adds checksums and head, and reads these back from the disk.
void complete_checkpoint(const std::string& path, const CheckpointHead& head,
                         const std::vector<PlaneFacts>& facts);

/// What a file is that is no checkpoint, such as "a snapshot"; empty for one, damaged or not.
std::string other_than_checkpoint(const std::string& path);

/// Every call throws DamagedCheckpoint for what isn't as it was written.
class CheckpointFile {
 public:
  explicit CheckpointFile(std::string path);

  const CheckpointHead& head() const { return head_; }
  void read(int first, int count, std::byte* planes) const;
  /// Checks that all parts of the file are there. Whether their content is intact, read() finds by checksums.
  void require_parts() const;

 private:
  std::int64_t read_format() const;
  void read_head();
  void check_extent();

  std::string path_;
  h5::Handle file_;
  CheckpointHead head_;
  std::vector<std::uint64_t> plane_sums_;
};

}  // namespace tayra
