// The positivity limiter of Hu, Adams & Shu (2013), face by face.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

enum class Side { left, right };

/// alpha U -+ F of the cell on one side of a face, in whole (not perturbation) variables. If it is a gas on
/// both sides of every face, so is the cell, without gravity, after a stage at cfl <= 1/6 of its own state
/// (docs/decisions/0003).
template <int axis, Side side, class N>
TAYRA_HD State<N> face_share(const Cell<N>& cell, N alpha, const State<N>& flux, N face_background) {
  State<N> whole_flux = flux;
  whole_flux.momentum[axis] = whole_flux.momentum[axis] + face_background;
  const State<N> taken = side == Side::left ? -whole_flux : whole_flux;
  return {multiply_add<N>(alpha, cell.state.density, taken.density),
          multiply_add(alpha, cell.state.momentum, taken.momentum),
          multiply_add<N>(alpha, whole_energy(cell), taken.energy)};
}

/// Density times internal energy density; no division.
template <class N>
TAYRA_HD N energy_measure(const State<N>& q) {
  return multiply_add<N>(q.density, q.energy, RealOf<N>(-0.5) * dot(q.momentum, q.momentum));
}

template <class N>
TAYRA_HD N internal_energy(const State<N>& q) {
  return energy_measure(q) / q.density;
}

/// How far towards `high` one may go from `low` until the quantity falls to `least` (a concave one stays
/// above).
template <class N>
TAYRA_HD N largest_share(N high, N low, N least) {
  using Real = RealOf<N>;
  const N room = maximum<N>(low - least, N(Real(0)));
  return select<N>(high < least, room / ((room + least) - high), N(Real(1)));
}

template <class N>
TAYRA_HD State<N> blend(N share, const State<N>& high, const State<N>& low) {
  return low + share * (high - low);
}

/// What a face must leave of a cell's density and internal energy.
inline constexpr double least_share = 1e-6;

/// One side's least density and internal energy, as fractions of what the cell holds.
template <class N>
struct Floor {
  N density;
  N energy;
};

template <class N>
TAYRA_HD Floor<N> floor_of(const Cell<N>& cell, N alpha, const Gas<RealOf<N>>& gas) {
  const N small = RealOf<N>(least_share) * alpha;
  return {small * cell.state.density,
          small * (gas.inverse_gamma_minus_1 * (cell.pressure + cell.background_pressure))};
}

/// Share of the high-order flux that keeps this side a gas: density first, then internal energy.
template <int axis, Side side, class N>
TAYRA_HD N side_share(const Cell<N>& cell, const Floor<N>& floor, N alpha, const State<N>& high,
                      const State<N>& low, N face_background) {
  const State<N> with_low = face_share<axis, side>(cell, alpha, low, face_background);
  const State<N> with_high = face_share<axis, side>(cell, alpha, high, face_background);
  // Where the cell beyond the face is far denser or hotter the floor drowns in the round-off of its share.
  const N clearance = N(RealOf<N>(1e-5));
  const N by_density = largest_share<N>(with_high.density, with_low.density,
                                        maximum<N>(floor.density, clearance * with_low.density));
  const State<N> with_density = blend<N>(by_density, with_high, with_low);
  const N low_energy = internal_energy(with_low);
  return by_density * largest_share<N>(internal_energy(with_density), low_energy,
                                       maximum<N>(floor.energy, clearance * low_energy));
}

/// First-order local Lax-Friedrichs, of whole energies: the flux that always keeps a gas a gas.
template <int axis, class N>
TAYRA_HD State<N> first_order_flux(const Cell<N>& left, const Cell<N>& right, N alpha) {
  State<N> jump = left.state - right.state;
  jump.energy = whole_energy(left) - whole_energy(right);
  return RealOf<N>(0.5) * ((euler_flux<axis>(left) + euler_flux<axis>(right)) + alpha * jump);
}

/// The high-order flux, blended with the first-order one only as far as both cells need; both times
/// `multiple`.
template <int axis, int multiple, class N>
TAYRA_HD_RARE State<N> blended_flux(const State<N> high_product, const Cell<N> left, const Cell<N> right,
                                    const Gas<RealOf<N>> gas) {
  using Real = RealOf<N>;
  const N alpha = face_speed<axis>(left, right);
  const N background = face_background(left, right);
  const State<N> high = Real(1. / multiple) * high_product;
  const State<N> low = first_order_flux<axis>(left, right, alpha);
  const N share = minimum<N>(
      side_share<axis, Side::left>(left, floor_of(left, alpha, gas), alpha, high, low, background),
      side_share<axis, Side::right>(right, floor_of(right, alpha, gas), alpha, high, low, background));
  return select(share < Real(1), Real(multiple) * blend<N>(share, high, low), high_product);
}

/// What the check below compares: the parts of a share, whose energy is doubled to save half a product.
template <class N>
struct Judged {
  N density;
  N measure;  // twice density times internal energy density
};

/// The square of the momentum is taken off so that exchanging x and y changes no bit.
template <int axis, class N>
TAYRA_HD N measure_with_doubled_energy(const State<N>& q) {
  const Vector<N>& m = q.momentum;
  const N left = multiply_add<N>(-m[axis], m[axis], q.density * q.energy);
  if constexpr (axis == 2)
    return left - (m[0] * m[0] + m[1] * m[1]);
  else
    return multiply_add<N>(-m[1 - axis], m[1 - axis], multiply_add<N>(-m[2], m[2], left));
}

template <int axis, Side side, CellForm form, class N>
TAYRA_HD Judged<N> judge(const Cell<N>& cell, N alpha, const State<N>& flux_with_doubled_energy,
                         const Gas<RealOf<N>>& gas) {
  const State<N> taken = side == Side::left ? -flux_with_doubled_energy : flux_with_doubled_energy;
  const N energy = form == CellForm::conserved ? multiply_add<N>(N(gas.inverse_gamma_minus_1),
                                                                 cell.background_pressure, cell.state.energy)
                                               : whole_energy(cell);
  const State<N> share{multiply_add<N>(alpha, cell.state.density, taken.density),
                       form == CellForm::conserved
                           ? multiply_add(alpha, cell.state.momentum, taken.momentum)
                           : multiply_add(alpha * cell.state.density, cell.velocity, taken.momentum),
                       multiply_add<N>(alpha + alpha, energy, taken.energy)};
  return {share.density, measure_with_doubled_energy<axis>(share)};
}

/// Where the high-order flux, given `multiple` times, may not stand as it is. Everywhere else it does, bit
/// for bit. alpha is lowered by eps = least_share instead of adding a floor: if (1 - eps) alpha U -+ F is a
/// gas, adding eps alpha U, itself a gas, puts alpha U -+ F above the floor.
template <int axis, int multiple, CellForm form, class N>
TAYRA_HD MaskOf<N> needs_limiting(const State<N>& high_product, const Cell<N>& left_cell,
                                  const Cell<N>& right_cell, const Gas<RealOf<N>>& gas) {
  using Real = RealOf<N>;
  const N alpha = Real(multiple * (1 - least_share)) * face_speed<axis>(left_cell, right_cell);
  State<N> flux = high_product;
  flux.momentum[axis] =
      multiply_add<N>(N(Real(0.5 * multiple)), left_cell.background_pressure + right_cell.background_pressure,
                      flux.momentum[axis]);
  flux.energy = flux.energy + flux.energy;
  const Judged<N> left = judge<axis, Side::left, form>(left_cell, alpha, flux, gas);
  const Judged<N> right = judge<axis, Side::right, form>(right_cell, alpha, flux, gas);
  return any_negative<N>(left.density, left.measure, right.density, right.measure);
}

}  // namespace tayra
