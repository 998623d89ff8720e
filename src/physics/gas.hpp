// The ideal gas, a cell with all that the face fluxes need of it, and the Euler flux.
#pragma once

#include "physics/state.hpp"

namespace tayra {

template <class Real>
struct Gas {
  Real gamma;
  Real gamma_minus_1;
  Real inverse_gamma_minus_1;
  Real enthalpy_of_pressure;  // gamma / (gamma - 1)

  explicit Gas(double ratio_of_specific_heats)
      : gamma(Real(ratio_of_specific_heats)),
        gamma_minus_1(Real(ratio_of_specific_heats - 1)),
        inverse_gamma_minus_1(Real(1 / (ratio_of_specific_heats - 1))),
        enthalpy_of_pressure(Real(ratio_of_specific_heats / (ratio_of_specific_heats - 1))) {}
};

/// A cell in perturbation form: energy and pressure are what exceeds the hydrostatic background's, so that a
/// column at rest has zeros here, and zero fluxes, to the last bit.
template <class N>
struct Cell {
  State<N> state;
  N inverse_density;
  N pressure;              // p - p_b
  N sound_speed;           // of the whole pressure
  N inverse_root_density;  // 1 / sqrt(rho)
  N background_pressure;   // p_b
};

template <class N>
TAYRA_HD Cell<N> make_cell(const State<N>& state, N background_pressure, const Gas<RealOf<N>>& gas) {
  const N inverse_density = reciprocal<N>(state.density);
  const N momentum_squared = dot(state.momentum, state.momentum);
  const N pressure =
      gas.gamma_minus_1 * multiply_add<N>(RealOf<N>(-0.5) * inverse_density, momentum_squared, state.energy);
  const N sound_speed = square_root<N>(gas.gamma * inverse_density * (pressure + background_pressure));
  return {
      state, inverse_density, pressure, sound_speed, square_root<N>(inverse_density), background_pressure};
}

/// E + p of the whole gas, background included.
template <class N>
TAYRA_HD N enthalpy(const Cell<N>& cell, const Gas<RealOf<N>>& gas) {
  return multiply_add<N>(N(gas.enthalpy_of_pressure), cell.background_pressure,
                         cell.state.energy + cell.pressure);
}

template <class N>
TAYRA_HD Vector<N> velocity(const Cell<N>& cell) {
  return cell.inverse_density * cell.state.momentum;
}

template <int axis, class N>
TAYRA_HD N normal_velocity(const Cell<N>& cell) {
  return cell.state.momentum[axis] * cell.inverse_density;
}

/// F(U) along the axis, with p - p_b in the momentum's place of p.
template <int axis, class N>
TAYRA_HD State<N> euler_flux(const Cell<N>& cell, const Gas<RealOf<N>>& gas) {
  const N u = normal_velocity<axis>(cell);
  State<N> flux{cell.state.momentum[axis], u * cell.state.momentum, u * enthalpy(cell, gas)};
  flux.momentum[axis] = multiply_add<N>(u, cell.state.momentum[axis], cell.pressure);
  return flux;
}

/// |u| + c along the axis.
template <int axis, class N>
TAYRA_HD N signal_speed(const Cell<N>& cell) {
  return absolute<N>(normal_velocity<axis>(cell)) + cell.sound_speed;
}

/// sum over axes of (|u| + c) / spacing: dt times this is the CFL number.
template <class N>
TAYRA_HD N signal_rate(const Cell<N>& cell, const Vector<RealOf<N>>& inverse_spacing) {
  return (signal_speed<0>(cell) * inverse_spacing[0] + signal_speed<1>(cell) * inverse_spacing[1]) +
         signal_speed<2>(cell) * inverse_spacing[2];
}

/// Four cells in a row along an axis; the face is between `left` and `right`.
template <class N>
struct Stencil {
  Cell<N> far_left;
  Cell<N> left;
  Cell<N> right;
  Cell<N> far_right;
};

/// The larger |u| + c of the two cells at the face.
template <int axis, class N>
TAYRA_HD N face_speed(const Stencil<N>& s) {
  return maximum<N>(signal_speed<axis>(s.left), signal_speed<axis>(s.right));
}

/// The background's pressure at the face.
template <class N>
TAYRA_HD N face_background(const Stencil<N>& s) {
  return RealOf<N>(0.5) * (s.left.background_pressure + s.right.background_pressure);
}

/// (-F(i-1) + 7 F(i) + 7 F(i+1) - F(i+2)) times 12/12: the caller divides by 12 once for the whole face.
template <int axis, class N>
TAYRA_HD State<N> twelve_central_fluxes(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  return multiply_add(N(RealOf<N>(7)), euler_flux<axis>(s.left, gas) + euler_flux<axis>(s.right, gas),
                      -(euler_flux<axis>(s.far_left, gas) + euler_flux<axis>(s.far_right, gas)));
}

/// q(i+2) - 3 q(i+1) + 3 q(i) - q(i-1) of numbers, vectors or states; exactly antisymmetric under a mirror.
template <class N, class Q>
TAYRA_HD Q third_difference(const Q& far_left, const Q& left, const Q& right, const Q& far_right) {
  return multiply_add(N(RealOf<N>(-3)), right - left, far_right - far_left);
}

}  // namespace tayra
