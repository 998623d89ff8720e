// The HDF5 file of one snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/plane_file.hpp"
#include "io/selection.hpp"
#include "io/snapshot_index.hpp"
#include "solver/output_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// What all snapshots of one kind have in common.
struct SnapshotPlan {
  SnapshotPlan(const Config& config, const SnapshotSettings& settings);
  FieldChoice choice() const;
  PlaneLayout layout() const;

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

/// Makes the file with room for the planes. To be compressed, these wait in a file without HDF5.
Offsets make_snapshot(const std::string& path, const SnapshotPlan& plan);

/// Adds checksums, says when, where and from what the fields are, and links them where VTK looks for them.
void complete_snapshot(const std::string& path, const SnapshotPlan& plan, const Instant& instant,
                       const std::vector<PlaneFacts>& facts);

/// What a snapshot holds. Throws Error(failed) for any other file, as one cut short is or one whose parts are
/// missing.
SnapshotEntry read_snapshot_entry(const std::string& path);

}  // namespace tayra
