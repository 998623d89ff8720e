// The HDF5 file of one snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/hdf5.hpp"
#include "io/selection.hpp"
#include "io/snapshot_fields.hpp"
#include "io/snapshot_index.hpp"
#include "io/state_block.hpp"

namespace tayra {

/// What all snapshots of one kind have in common.
struct SnapshotPlan {
  SnapshotPlan(const Config& config, const SnapshotSettings& settings);
  Needs needs() const;

  Grid grid;
  double gamma;
  std::string flow_yaml;
  std::vector<SnapshotField> fields;
  Precision precision;
  Compression compression;
  Selection selection;
};

struct Instant {
  double time;
  std::int64_t step;
};

/// Fields at the root as [z][y][x] and linked where VTK looks for them. Every call throws Error(failed); the
/// file is then worthless, as it is until finish() has returned.
class SnapshotFileWriter {
 public:
  SnapshotFileWriter(const std::string& path, const SnapshotPlan& plan, const Instant& instant);
  /// The block's planes are those of the selection from `first` on.
  void add(int first, const StateBlock& block);
  void finish();

 private:
  SnapshotPlan plan_;
  h5::Handle file_;
  std::vector<h5::Handle> datasets_;
};

/// What a file of that writer holds. Throws Error(failed) for any other, as one cut short is.
SnapshotEntry read_snapshot_entry(const std::string& path);

}  // namespace tayra
