// The HDF5 file of one checkpoint: the solver's own numbers, bit for bit, with checksums over all that is
// read back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/common_file.hpp"
#include "io/config.hpp"
#include "io/descriptor.hpp"
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
  std::map<std::string, SnapshotCount> snapshots = {};  // by their folder in the run's directory
};

struct CheckpointHead {
  RunPosition position;
  std::array<std::int64_t, 3> cells{};
  std::int64_t bytes_per_number = 8;
  std::string config;  // the part that decides the flow

  std::size_t plane_bytes() const;
};

CheckpointHead checkpoint_head(const Config& config, const RunPosition& position);

/// The message says what is wrong with the file; another one may be whole.
class DamagedCheckpoint : public Error {
 public:
  using Error::Error;
};

/// The numbers of some planes and their checksums. Takes blocks in any order. finish() reads this rank's back
/// from the disk, and throws if they are not what was written.
class CheckpointData {
 public:
  CheckpointData(const PlaneFile& file, CheckpointHead head);
  void add(const PlaneBlock& block);
  void finish();

 private:
  void require_as_written() const;

  CheckpointHead head_;
  PlaneFile place_;
  std::vector<std::uint64_t> plane_sums_;  // of this rank's
  h5::Handle file_;
  h5::Handle state_;
  Descriptor on_disk_;
};

/// Adds the head, and reads it back from the disk. With parts the planes are put together from those,
/// otherwise the file holds them.
void complete_checkpoint(const std::string& path, const CheckpointHead& head,
                         const std::vector<h5::Part>& parts);

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
  void check_extent() const;

  std::string path_;
  h5::Handle file_;
  CheckpointHead head_;
  std::vector<std::uint64_t> plane_sums_;
};

}  // namespace tayra
