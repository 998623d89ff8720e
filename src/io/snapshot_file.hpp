// The HDF5 file of one snapshot: which cells of the box it holds, and what it says of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/common_file.hpp"
#include "io/config.hpp"
#include "solver/output_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// The cells along each axis whose centres lie between the corners, but at least one.
std::array<AxisSelection, 3> select_cells(const Grid& grid, const SnapshotSettings& settings);
/// Which of the selected planes lie in a slab, counted from the first one selected.
SlabRange selected_in(const AxisSelection& z, SlabRange slab);

/// What all snapshots of one kind have in common.
struct SnapshotPlan {
  SnapshotPlan(const Config& config, const SnapshotSettings& settings);
  PlaneLayout layout() const;

  std::string flow_yaml;
  std::vector<OutputField> fields;  // that there are
  FieldChoice choice;
  Compression compression;
  Vec3 lower{}, spacing{};  // of a grid whose cell centres are those of the selected cells
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

/// A field as it lies in a file.
struct StoredField {
  std::string name;
  int components;
  int bytes;  // of one number
};

/// One snapshot, as its file says.
struct SnapshotEntry {
  std::string file;  // name in the same folder
  double time;
  std::array<int, 3> cells;
  Vec3 lower;
  Vec3 spacing;
  std::vector<StoredField> fields;
};

/// What a snapshot holds. Throws Error(failed) for any other file, as one cut short is or one whose parts are
/// missing.
SnapshotEntry read_snapshot_entry(const std::string& path);

}  // namespace tayra
