// The lists that open all snapshots of a run at once, with their times.
#pragma once

#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "io/snapshot_fields.hpp"
#include "solver/simulation.hpp"

namespace tayra {

struct SnapshotIndex {
  struct Entry {
    std::string file;  // name in the same folder
    double time;
  };
  Grid grid;
  Precision precision;
  std::vector<SnapshotField> fields;
  std::vector<Entry> snapshots;
};

/// XDMF, for ParaView before 5.12 and VisIt: a temporal collection of 3DCoRectMesh.
std::string xdmf_text(const SnapshotIndex& index);
/// ParaView's file series.
std::string series_text(const SnapshotIndex& index);

}  // namespace tayra
