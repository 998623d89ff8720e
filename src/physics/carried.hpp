// Mass fractions that the flow carries: what crosses a face with the gas, and what becomes of a cell.
#pragma once

#include "core/number.hpp"
#include "physics/state.hpp"

namespace tayra {

/// The fraction in the gas that crosses the face between the two inner cells of four in a row: on the
/// parabola through the cell that it leaves and that cell's neighbours, no further from the cell than either
/// of them (Koren's limiter).
template <class N>
TAYRA_HD N fraction_at_face(N mass, N far_left, N left, N right, N far_right) {
  using Real = RealOf<N>;
  const MaskOf<N> leftward = mass < N(Real(0));
  const N before = select<N>(leftward, far_right, far_left), here = select<N>(leftward, right, left),
          after = select<N>(leftward, left, right);
  const N below = here - before, above = after - here;
  const Minmod<N> least = Minmod<N>::of(below, above, 6, MaskOf<N>(false));
  return multiply_add<N>(N(Real(1. / 6)), least.or_nearer(multiply_add<N>(N(Real(2)), above, below)), here);
}

/// What crosses a face: mass in a unit of time, and the fraction in it.
template <class N>
struct CarriedMass {
  N mass;
  N fraction;
};

/// Through a cell's two faces along an axis.
template <class N>
struct CarriedThrough {
  CarriedMass<N> lower, upper;

  TAYRA_HD N mass_gained() const { return lower.mass - upper.mass; }
  /// Beyond what the gas has that is there: nothing, to the last bit, where the fraction is the same all
  /// around.
  TAYRA_HD N gained_beyond(N fraction) const {
    return lower.mass * (lower.fraction - fraction) - upper.mass * (upper.fraction - fraction);
  }
};

/// A cell that scalars are carried through.
template <class N>
struct CarryingCell {
  N density;       // before the stage
  N next_density;  // after it
  RealOf<N> keep;  // of the step's old state, in the stage
};

/// How far a unit of flux goes in a stage: along z, along y, and along x as a multiple of that.
template <class Real>
struct CarryingLength {
  Real column, row, y_over_x;
};

/// The fraction after a stage: as much as the flow's mass, whose weights it shares, so that the sum of
/// density times fraction changes by round-off alone. Of a cell that loses at most half its mass through its
/// faces (Mach 5 at a cfl of 0.6) it lies between those around it but for round-off, which is taken off at 0
/// and 1.
template <class N>
TAYRA_HD N fraction_after(N fraction, N old_fraction, const CarryingCell<N>& cell,
                          const CarriedThrough<N> (&through)[3], const CarryingLength<RealOf<N>>& length) {
  using Real = RealOf<N>;
  const auto over_all = [&](N along_x, N along_y, N along_z, N before) {
    const N rows = multiply_add<N>(N(length.y_over_x), along_x, along_y);
    return multiply_add<N>(N(length.row), rows, multiply_add<N>(N(length.column), along_z, before));
  };
  const N zero = N(Real(0)), one = N(Real(1));
  const N density =
      over_all(through[0].mass_gained(), through[1].mass_gained(), through[2].mass_gained(), cell.density);
  const N gained = over_all(through[0].gained_beyond(fraction), through[1].gained_beyond(fraction),
                            through[2].gained_beyond(fraction), zero);
  N next = multiply_add<N>(gained, reciprocal<N>(density), fraction);
  if (cell.keep != 0) {
    const N kept = multiply_add<N>(N(cell.keep - Real(1)) * density, reciprocal<N>(cell.next_density), one);
    next = multiply_add<N>(minimum<N>(maximum<N>(kept, zero), one), old_fraction - next, next);
  }
  return minimum<N>(maximum<N>(next, zero), one);
}

}  // namespace tayra
