// The table of fields that a snapshot can hold.
#include "io/snapshot_fields.hpp"

#include <algorithm>
#include <cmath>

namespace tayra {
namespace {

double pressure_of(const CellRow& row, int x) {
  const double u = row.momentum[0][x], v = row.momentum[1][x], w = row.momentum[2][x];
  return (row.gamma - 1) * (row.energy[x] - 0.5 * (u * u + v * v + w * w) / row.density[x]);
}

double speed_of(const CellRow& row, int x) {
  return std::hypot(row.momentum[0][x], row.momentum[1][x], row.momentum[2][x]) / row.density[x];
}

void density(const CellRow& row, double* out) { std::copy_n(row.density, row.count, out); }
void energy(const CellRow& row, double* out) { std::copy_n(row.energy, row.count, out); }

void pressure(const CellRow& row, double* out) {
  for (int x = 0; x < row.count; ++x) out[x] = pressure_of(row, x);
}

void temperature(const CellRow& row, double* out) {
  for (int x = 0; x < row.count; ++x) out[x] = pressure_of(row, x) / row.density[x];
}

void mach(const CellRow& row, double* out) {
  for (int x = 0; x < row.count; ++x)
    out[x] = speed_of(row, x) / std::sqrt(row.gamma * pressure_of(row, x) / row.density[x]);
}

void momentum(const CellRow& row, double* out) {
  for (int x = 0; x < row.count; ++x)
    for (int axis = 0; axis < 3; ++axis) out[3 * x + axis] = row.momentum[axis][x];
}

void velocity(const CellRow& row, double* out) {
  for (int x = 0; x < row.count; ++x)
    for (int axis = 0; axis < 3; ++axis) out[3 * x + axis] = row.momentum[axis][x] / row.density[x];
}

}  // namespace

const std::vector<SnapshotField>& snapshot_fields() {
  static const std::vector<SnapshotField> fields{
      {"density", 1, "mass / length^3", "mass per volume", density},
      {"velocity", 3, "length / time", "velocity (x, y, z)", velocity},
      {"pressure", 1, "mass / (length time^2)", "(gamma - 1) times internal energy per volume", pressure},
      {"momentum", 3, "mass / (length^2 time)", "momentum per volume (x, y, z)", momentum},
      {"energy", 1, "mass / (length time^2)", "internal + kinetic energy per volume", energy},
      {"temperature", 1, "length^2 / time^2", "pressure / density: temperature times the gas constant",
       temperature},
      {"mach", 1, "1", "speed / speed of sound", mach},
  };
  return fields;
}

std::vector<std::string> snapshot_field_names() {
  std::vector<std::string> names;
  for (const SnapshotField& field : snapshot_fields()) names.push_back(field.name);
  return names;
}

}  // namespace tayra
