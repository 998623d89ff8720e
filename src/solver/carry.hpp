// One Runge-Kutta stage of the scalars over some planes of one slab, after the flow's own sweep of them: what
// every device is told and does.
#pragma once

#include "physics/carried.hpp"
#include "solver/sweep.hpp"

namespace tayra {

/// Of the sweep that has been; its fields hold the scalars, too.
template <class Real>
struct Carry {
  Sweep<Real> sweep;
  int flux_multiple;  // the scheme's

  TAYRA_HD CarryingLength<Real> length() const {
    const Spacing<Real>& spacing = sweep.slab.spacing;
    const Real of_fluxes = Real(sweep.clock->dt / flux_multiple);
    return {of_fluxes * spacing.inverse[2], of_fluxes * spacing.inverse[1], spacing.y_over_x};
  }
  TAYRA_HD std::size_t scalar_start(int number) const {
    return (field_variables + number) * sweep.slab.layout.variable_stride();
  }
};

/// The rows of cells around one, of a scalar, along y and z; it is the third of either.
template <class Real>
struct RowsAround {
  const Real* along_y[5];
  const Real* along_z[5];
};

template <class Real>
TAYRA_HD RowsAround<Real> rows_around(const Carry<Real>& carry, int scalar, int y, int k) {
  const Slab<Real>& slab = carry.sweep.slab;
  const Layout& layout = slab.layout;
  const auto row = [&](int plane, int of_plane) {
    return carry.sweep.u + layout.plane_start(plane) + carry.scalar_start(scalar) +
           static_cast<std::ptrdiff_t>(of_plane) * layout.nx;
  };
  RowsAround<Real> rows{};
  for (int n = 0; n < 5; ++n) {
    rows.along_y[n] = row(k, row_source(y + n - 2, slab).index);
    rows.along_z[n] = row(plane_source(k + n - 2, slab).index, y);
  }
  return rows;
}

/// Of the mass through the faces of a row of cells. Those of one cell's x faces lie side by side but for the
/// first.
template <class Real>
struct MassRows {
  const Real *x, *lower_y, *upper_y, *lower_z, *upper_z;
  Real first_x;
};

template <class Real>
TAYRA_HD MassRows<Real> mass_rows(const Carry<Real>& carry, int y, int k) {
  const Sweep<Real>& sweep = carry.sweep;
  const int nx = sweep.slab.layout.nx;
  const auto row = [&](int axis, int of_plane, int plane) {
    return sweep.mass.upper(axis, plane) + static_cast<std::size_t>(of_plane) * nx;
  };
  MassRows<Real> rows{
      row(0, y, k),
      y == 0 ? sweep.mass.first(1, k) : row(1, y - 1, k),
      row(1, y, k),
      sweep.begins_with(k) ? sweep.mass.below(k) + static_cast<std::size_t>(y) * nx : row(2, y, k - 1),
      row(2, y, k),
      sweep.mass.first(0, k)[y]};
  // Along an axis of one cell nobody leaves any; what is gained through one face is lost through the other.
  if (nx == 1) rows.x = rows.upper_z, rows.first_x = *rows.upper_z;
  if (sweep.slab.layout.ny == 1) rows.lower_y = rows.upper_y = rows.upper_z;
  return rows;
}

/// Along an axis, of five cells in a row.
template <class N>
TAYRA_HD CarriedThrough<N> carried_through(N lower_mass, N upper_mass, N far_below, N below, N here, N above,
                                           N far_above) {
  return {{lower_mass, fraction_at_face<N>(lower_mass, far_below, below, here, above)},
          {upper_mass, fraction_at_face<N>(upper_mass, below, here, above, far_above)}};
}

/// Runs on the CPU at once.
template <class Real>
void carry_on_cpu(const Carry<Real>& carry);

}  // namespace tayra
