// The table of fields that a snapshot can hold.
#include "io/snapshot_fields.hpp"

#include <algorithm>
#include <cmath>

#include "grid/boundary.hpp"

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

/// For fields that look at each cell alone.
template <void (*compute)(const CellRow& row, double* out)>
void alone(const CellRows& rows, double* out) {
  compute(rows.here, out);
}

double velocity_at(const CellRow& row, int x, int axis) { return row.momentum[axis][x] / row.density[x]; }

/// Central differences. At a mirror only velocities along it are differentiated across it, and those don't
/// change sign there.
void vorticity(const CellRows& rows, double* out) {
  const Grid& grid = rows.grid;
  const auto difference = [&](const CellRow& below, int x_below, const CellRow& above, int x_above, int axis,
                              int across) {
    return (velocity_at(above, x_above, axis) - velocity_at(below, x_below, axis)) /
           (2 * grid.spacing(across));
  };
  for (int x = 0; x < rows.here.count; ++x, out += 3) {
    const int west = ghost_source(x - 1, rows.here.count, grid.boundary[0]).index;
    const int east = ghost_source(x + 1, rows.here.count, grid.boundary[0]).index;
    const auto d_dx = [&](int axis) { return difference(rows.here, west, rows.here, east, axis, 0); };
    const auto d_dy = [&](int axis) { return difference(rows.along_y[0], x, rows.along_y[1], x, axis, 1); };
    const auto d_dz = [&](int axis) { return difference(rows.along_z[0], x, rows.along_z[1], x, axis, 2); };
    out[0] = d_dy(2) - d_dz(1);
    out[1] = d_dz(0) - d_dx(2);
    out[2] = d_dx(1) - d_dy(0);
  }
}

}  // namespace

const std::vector<SnapshotField>& snapshot_fields() {
  static const std::vector<SnapshotField> fields{
      {"density", 1, "mass / length^3", "mass per volume", Needs::own_cell, alone<density>},
      {"velocity", 3, "length / time", "velocity (x, y, z)", Needs::own_cell, alone<velocity>},
      {"pressure", 1, "mass / (length time^2)", "(gamma - 1) times internal energy per volume",
       Needs::own_cell, alone<pressure>},
      {"momentum", 3, "mass / (length^2 time)", "momentum per volume (x, y, z)", Needs::own_cell,
       alone<momentum>},
      {"energy", 1, "mass / (length time^2)", "internal + kinetic energy per volume", Needs::own_cell,
       alone<energy>},
      {"temperature", 1, "length^2 / time^2", "pressure / density: temperature times the gas constant",
       Needs::own_cell, alone<temperature>},
      {"mach", 1, "1", "speed / speed of sound", Needs::own_cell, alone<mach>},
      {"vorticity", 3, "1 / time", "curl of the velocity (x, y, z) by central differences", Needs::neighbours,
       vorticity},
  };
  return fields;
}

std::vector<std::string> snapshot_field_names() {
  std::vector<std::string> names;
  for (const SnapshotField& field : snapshot_fields()) names.push_back(field.name);
  return names;
}

}  // namespace tayra
