// The HDF5 file of one snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/common_file.hpp"
#include "io/config.hpp"
#include "io/descriptor.hpp"
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

/// The fields of some planes, at the root as [z][y][x]. Every call throws Error(failed).
class SnapshotData {
 public:
  SnapshotData(const PlaneFile& file, const SnapshotPlan& plan);
  /// The block's planes are those of the selection from `first` on.
  void add(int first, const StateBlock& block);
  void finish();

 private:
  SnapshotPlan plan_;
  PlaneFile place_;
  h5::Handle file_;
  std::vector<h5::Handle> datasets_;
  Descriptor on_disk_;
};

/// Says when, where and from what the fields are, and links them where VTK looks for them. With parts the
/// fields are put together from those, otherwise the file holds them.
void complete_snapshot(const std::string& path, const SnapshotPlan& plan, const Instant& instant,
                       const std::vector<h5::Part>& parts);

/// What a snapshot holds. Throws Error(failed) for any other file, as one cut short is or one whose parts are
/// missing.
SnapshotEntry read_snapshot_entry(const std::string& path);

}  // namespace tayra
