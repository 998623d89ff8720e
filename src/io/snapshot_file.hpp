// The HDF5 file of one snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/common_file.hpp"
#include "io/config.hpp"
#include "io/descriptor.hpp"
#include "io/hdf5.hpp"
#include "io/selection.hpp"
#include "io/snapshot_index.hpp"
#include "solver/output_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// What all snapshots of one kind have in common.
struct SnapshotPlan {
  SnapshotPlan(const Config& config, const SnapshotSettings& settings);
  FieldChoice choice() const;

  Grid grid;
  std::string flow_yaml;
  std::vector<int> field_numbers;
  std::vector<OutputField> fields;
  Precision precision;
  Compression compression;
  Selection selection;
};

struct Instant {
  double time;
  std::int64_t step;
};

/// The fields of some planes, at the root as [z][y][x], and a checksum of each plane. Every call throws
/// Error(failed).
class SnapshotData {
 public:
  SnapshotData(const PlaneFile& file, const SnapshotPlan& plan);
  /// Planes of the selection, as Simulation::start_fields() leaves them.
  void add(const PlaneBlock& block);
  void finish();

 private:
  SnapshotPlan plan_;
  PlaneFile place_;
  h5::Handle file_;
  std::vector<h5::Handle> datasets_;
  std::vector<std::vector<std::uint32_t>> plane_sums_;  // of each field, of this rank's planes
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
