// The fields that a snapshot can hold, computed from the conserved state.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tayra {

/// The conserved state of a row of cells along x.
struct CellRow {
  const double* density;
  std::array<const double*, 3> momentum;
  const double* energy;  // total: internal + kinetic
  int count;
  double gamma;
};

/// A registry line.
struct SnapshotField {
  std::string name;
  int components;
  std::string units;
  std::string meaning;
  /// Fills count × components values, components of a cell side by side.
  void (*compute)(const CellRow& row, double* out);
};

const std::vector<SnapshotField>& snapshot_fields();
/// What `output.snapshots.fields` may name.
std::vector<std::string> snapshot_field_names();

}  // namespace tayra
