// The fields that a snapshot can hold, computed from the conserved state.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "grid/grid.hpp"

namespace tayra {

/// The conserved state of a row of cells along x.
struct CellRow {
  const double* density;
  std::array<const double*, 3> momentum;
  const double* energy;  // total: internal + kinetic
  int count;
  double gamma;
};

/// A row and what lies around it; beyond a boundary the cell that a ghost there takes its state from.
struct CellRows {
  CellRow here;
  std::array<CellRow, 2> along_y, along_z;  // below and above; only for fields that need them
  const Grid& grid;
};

enum class Needs { own_cell, neighbours };

/// A registry line.
struct SnapshotField {
  std::string name;
  int components;
  std::string units;
  std::string meaning;
  Needs needs;
  /// Fills count × components values, components of a cell side by side.
  void (*compute)(const CellRows& rows, double* out);
};

const std::vector<SnapshotField>& snapshot_fields();
/// What `output.snapshots.fields` may name.
std::vector<std::string> snapshot_field_names();

}  // namespace tayra
