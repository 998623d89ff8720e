// The positivity limiter of Hu, Adams & Shu (2013), face by face.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

enum class Side { left, right };

/// alpha U -+ F of the cell on one side of a face, in whole (not perturbation) variables. If it is a gas on
/// both sides of every face, so is the updated cell for cfl <= 1/2, whatever dt is.
template <int axis, Side side, CellForm form = CellForm::conserved, class N>
TAYRA_HD State<N> face_share(const Cell<N>& cell, N alpha, const State<N>& flux, N face_background) {
  State<N> whole_flux = flux;
  whole_flux.momentum[axis] = whole_flux.momentum[axis] + face_background;
  const State<N> taken = side == Side::left ? -whole_flux : whole_flux;
  const N mass = alpha * cell.state.density;
  return {mass + taken.density,
          form == CellForm::conserved ? multiply_add(alpha, cell.state.momentum, taken.momentum)
                                      : multiply_add(mass, cell.velocity, taken.momentum),
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

template <class N>
TAYRA_HD MaskOf<N> is_gas(const State<N>& q) {
  return (q.density > RealOf<N>(0)) & (energy_measure(q) > RealOf<N>(0));
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
TAYRA_HD State<N> first_order_flux(const Stencil<N>& s, N alpha) {
  State<N> jump = s.left.state - s.right.state;
  jump.energy = whole_energy(s.left) - whole_energy(s.right);
  return RealOf<N>(0.5) * ((euler_flux<axis>(s.left) + euler_flux<axis>(s.right)) + alpha * jump);
}

/// The high-order flux, blended with the first-order one only as far as both cells need.
template <int axis, class N>
TAYRA_HD_RARE State<N> blended_flux(const State<N> high, const Stencil<N> s, const Gas<RealOf<N>> gas) {
  const N alpha = face_speed<axis>(s);
  const N background = face_background(s);
  const State<N> low = first_order_flux<axis>(s, alpha);
  const N left =
      side_share<axis, Side::left>(s.left, floor_of(s.left, alpha, gas), alpha, high, low, background);
  const N right =
      side_share<axis, Side::right>(s.right, floor_of(s.right, alpha, gas), alpha, high, low, background);
  return blend<N>(minimum<N>(left, right), high, low);
}

/// Where the high-order flux may not stand as it is. Everywhere else it does, bit for bit. Shares that are a
/// gas with an alpha a millionth lower are above the floor with the whole one: the rest of alpha U is a gas.
template <int axis, CellForm form, class N>
TAYRA_HD MaskOf<N> needs_limiting(const State<N>& high, const Stencil<N>& s) {
  const N alpha = RealOf<N>(1 - least_share) * face_speed<axis>(s);
  const N background = face_background(s);
  return !(is_gas(face_share<axis, Side::left, form>(s.left, alpha, high, background)) &
           is_gas(face_share<axis, Side::right, form>(s.right, alpha, high, background)));
}

}  // namespace tayra
