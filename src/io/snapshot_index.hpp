// The lists that open all snapshots of a run at once, with their times.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "grid/grid.hpp"

namespace tayra {

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

/// XDMF, for ParaView before 5.12 and VisIt: a temporal collection of 3DCoRectMesh.
std::string xdmf_text(const std::vector<SnapshotEntry>& snapshots);
/// ParaView's file series.
std::string series_text(const std::vector<SnapshotEntry>& snapshots);

}  // namespace tayra
