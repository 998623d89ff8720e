// What a CPU sums for profiles: row by row, a loop over the columns of a tile for each profile, so that all
// of it is SIMD and stays in the nearest cache.
#pragma once

#include <algorithm>
#include <utility>

#include "solver/profiles.hpp"

namespace tayra {

/// The gas of a tile's columns in one row, with a cell more at either end.
class GasRow {
 public:
  enum Number { density, specific_volume, u, v, w, pressure, fraction, number_count };
  const double* operator[](int number) const { return numbers_[number] + 1; }

  template <class Real>
  void fill(const FlowView<Real>& flow, const Layers& layers, int first, int columns, int y, int k) {
    const Slab<Real>& slab = flow.slab;
    const Source at_y = row_source(y, slab), at_z = plane_source(k, slab);
    const std::ptrdiff_t apart = slab.layout.variable_stride();
    const Real* from = flow.u + slab.layout.plane_start(at_z.index) +
                       static_cast<std::ptrdiff_t>(at_y.index) * slab.layout.nx + first;
    const double background = slab.background[at_z.index].pressure, gamma_minus_1 = flow.gamma - 1;
    const double v_sign = at_y.flipped ? -1 : 1, w_sign = at_z.flipped ? -1 : 1;
#pragma omp simd
    for (int x = 0; x < columns; ++x) {
      const CellGas gas = gas_of(from[x], from[apart + x], from[2 * apart + x], from[3 * apart + x],
                                 from[4 * apart + x], background, gamma_minus_1);
      numbers_[density][x + 1] = gas.density;
      numbers_[specific_volume][x + 1] = gas.specific_volume;
      numbers_[u][x + 1] = gas.velocity[0];
      numbers_[v][x + 1] = v_sign * gas.velocity[1];
      numbers_[w][x + 1] = w_sign * gas.velocity[2];
      numbers_[pressure][x + 1] = gas.pressure;
    }
    for (int x = 0; x < columns; ++x)
      numbers_[fraction][x + 1] =
          heavy_fraction(from + field_variables * apart + x, apart, numbers_[density][x + 1],
                         numbers_[pressure][x + 1], flow.gamma, layers);
    for (const int x : {-1, columns}) put(x, gas_at(flow, layers, first + x, y, k));
  }

 private:
  void put(int x, const CellGas& gas) {
    numbers_[density][x + 1] = gas.density;
    numbers_[specific_volume][x + 1] = gas.specific_volume;
    for (int axis = 0; axis < 3; ++axis) numbers_[u + axis][x + 1] = gas.velocity[axis];
    numbers_[pressure][x + 1] = gas.pressure;
    numbers_[fraction][x + 1] = gas.heavy_fraction;
  }

  double numbers_[number_count][profile_columns + 2];
};

/// A row and those around it.
struct GasRows {
  const GasRow *here, *south, *north, *below, *above;
  Vector<double> per_two_cells;
  const Layers& layers;
};

class CellOfRows {
 public:
  TAYRA_HD CellOfRows(const GasRows& rows, int x) : rows_(rows), x_(x) {}
  TAYRA_HD double density() const { return (*rows_.here)[GasRow::density][x_]; }
  TAYRA_HD double specific_volume() const { return (*rows_.here)[GasRow::specific_volume][x_]; }
  TAYRA_HD double velocity(int axis) const { return (*rows_.here)[GasRow::u + axis][x_]; }
  TAYRA_HD double pressure() const { return (*rows_.here)[GasRow::pressure][x_]; }
  TAYRA_HD double heavy_fraction() const { return (*rows_.here)[GasRow::fraction][x_]; }
  TAYRA_HD double mass_fraction() const { return tayra::mass_fraction(heavy_fraction(), rows_.layers); }
  TAYRA_HD double velocity_slope(int component, int along) const {
    return slope(GasRow::u + component, along);
  }
  TAYRA_HD double fraction_slope(int along) const { return slope(GasRow::fraction, along); }

 private:
  TAYRA_HD double slope(int number, int along) const {
    const double per_two_cells = rows_.per_two_cells[along];
    if (along == 0) return ((*rows_.here)[number][x_ + 1] - (*rows_.here)[number][x_ - 1]) * per_two_cells;
    if (along == 1) return ((*rows_.north)[number][x_] - (*rows_.south)[number][x_]) * per_two_cells;
    return ((*rows_.above)[number][x_] - (*rows_.below)[number][x_]) * per_two_cells;
  }

  const GasRows& rows_;
  int x_;
};

/// Sums over a tile, column by column.
struct TileSums {
  double of[profile_count][profile_columns];

  void add(const GasRows& rows, int columns) {
    for_each_profile([&]<class Profile>(int number) {
      double* const sums = of[number];
#pragma omp simd
      for (int x = 0; x < columns; ++x) sums[x] += Profile::value(CellOfRows(rows, x));
    });
  }
  /// Over all columns.
  double whole(int number) {
    for (int half = profile_columns / 2; half > 0; half /= 2)
      for (int x = 0; x < half; ++x) of[number][x] += of[number][x + half];
    return of[number][0];
  }
};

/// Adds those of plane k to as many sums as there are profiles; those of the next tile lie so far on.
template <class Real>
void add_profiles(const FlowView<Real>& flow, const Layers& layers, int k, double* sums, int apart) {
  const Layout& layout = flow.slab.layout;
  const ProfileTiles tiles(layout);
  GasRow rows[3], below, above;
  for (int tile = 0; tile < tiles.count(); ++tile) {
    const int first = tiles.first_column(tile), columns = std::min(profile_columns, layout.nx - first);
    const int begin = tiles.first_row(tile), end = std::min(begin + profile_rows, layout.ny);
    const auto fill = [&](GasRow& row, int y, int plane) {
      row.fill(flow, layers, first, columns, y, plane);
    };
    GasRow *south = &rows[0], *here = &rows[1], *north = &rows[2];
    fill(*south, begin - 1, k);
    fill(*here, begin, k);
    TileSums of_tile{};
    for (int y = begin; y < end; ++y) {
      fill(*north, y + 1, k);
      fill(below, y, k - 1);
      fill(above, y, k + 1);
      of_tile.add({here, south, north, &below, &above, per_two_cells(flow.spacing), layers}, columns);
      south = std::exchange(here, std::exchange(north, south));
    }
    for (int number = 0; number < profile_count; ++number) sums[number] += of_tile.whole(number);
    sums += apart;
  }
}

}  // namespace tayra
