// The ideal gas, a cell with all that the face fluxes need of it, and the Euler flux.
#pragma once

#include "physics/state.hpp"

namespace tayra {

template <class Real>
struct Gas {
  Real gamma;
  Real gamma_minus_1;
  Real inverse_gamma_minus_1;
  Real gamma_over_gamma_minus_1;

  explicit Gas(double ratio_of_specific_heats)
      : gamma(Real(ratio_of_specific_heats)),
        gamma_minus_1(Real(ratio_of_specific_heats - 1)),
        inverse_gamma_minus_1(Real(1 / (ratio_of_specific_heats - 1))),
        gamma_over_gamma_minus_1(Real(ratio_of_specific_heats / (ratio_of_specific_heats - 1))) {}
};

/// A cell in perturbation form: energy and pressure are what exceeds the hydrostatic background's, so that a
/// column at rest has zeros here, and zero fluxes, to the last bit.
template <class N>
struct Cell {
  State<N> state;
  N inverse_density;
  Vector<N> velocity;
  N pressure;     // p - p_b
  N enthalpy;     // E + p of the whole gas, background included
  N sound_speed;  // of the whole pressure
  N inverse_sound_speed;
  N inverse_root_density;  // 1 / sqrt(rho)
  N background_pressure;   // p_b
};

/// What of a cell a scheme's fluxes are made of: density, momentum and energy, or density, velocity and
/// pressure.
enum class CellForm { conserved, primitive };

template <class N>
TAYRA_HD N enthalpy_of(N energy, N pressure, N background_pressure, const Gas<RealOf<N>>& gas) {
  return multiply_add<N>(N(gas.gamma_over_gamma_minus_1), background_pressure, energy + pressure);
}

template <class N>
TAYRA_HD N enthalpy_of_primitive(N density, const Vector<N>& velocity, N whole_pressure,
                                 const Gas<RealOf<N>>& gas) {
  return multiply_add<N>(N(gas.gamma_over_gamma_minus_1), whole_pressure,
                         RealOf<N>(0.5) * density * dot(velocity, velocity));
}

/// p - p_b
template <class N>
TAYRA_HD N pressure_of(N inverse_density, N momentum_squared, N energy, const Gas<RealOf<N>>& gas) {
  return gas.gamma_minus_1 * multiply_add<N>(RealOf<N>(-0.5) * inverse_density, momentum_squared, energy);
}

template <class N>
TAYRA_HD N sound_speed_of(N inverse_density, N whole_pressure, const Gas<RealOf<N>>& gas) {
  return square_root<N>(gas.gamma * inverse_density * whole_pressure);
}

template <class N>
TAYRA_HD Cell<N> make_cell(const State<N>& state, N background_pressure, const Gas<RealOf<N>>& gas) {
  const N inverse_density = reciprocal<N>(state.density);
  const N momentum_squared = dot(state.momentum, state.momentum);
  const N pressure = pressure_of<N>(inverse_density, momentum_squared, state.energy, gas);
  const N sound_speed = sound_speed_of<N>(inverse_density, pressure + background_pressure, gas);
  return {state,
          inverse_density,
          inverse_density * state.momentum,
          pressure,
          enthalpy_of<N>(state.energy, pressure, background_pressure, gas),
          sound_speed,
          reciprocal<N>(sound_speed),
          square_root<N>(inverse_density),
          background_pressure};
}

/// What the pressure adds to the enthalpy of a cell whose energy is the perturbation.
template <class N>
TAYRA_HD N enthalpy_from_pressure(const Cell<N>& cell, const Gas<RealOf<N>>& gas) {
  return multiply_add<N>(N(gas.gamma_over_gamma_minus_1), cell.background_pressure, cell.pressure);
}

/// E of the whole gas, background included.
template <class N>
TAYRA_HD N whole_energy(const Cell<N>& cell) {
  return cell.enthalpy - (cell.pressure + cell.background_pressure);
}

/// F(U) along the axis, with p - p_b in the momentum's place of p.
template <int axis, class N>
TAYRA_HD State<N> euler_flux(const Cell<N>& cell) {
  const N u = cell.velocity[axis];
  const N mass = cell.state.momentum[axis];
  State<N> flux{mass, mass * cell.velocity, u * cell.enthalpy};
  flux.momentum[axis] = multiply_add<N>(u, mass, cell.pressure);
  return flux;
}

/// |u| + c along the axis.
template <int axis, class N>
TAYRA_HD N signal_speed(const Cell<N>& cell) {
  return absolute<N>(cell.velocity[axis]) + cell.sound_speed;
}

/// p of the whole gas as files and logs give it: by one formula, so that they agree to the last bit.
TAYRA_HD double whole_pressure(const State<double>& state, double background_pressure, double gamma) {
  const Vector<double>& m = state.momentum;
  const double kinetic = 0.5 * ((m[0] * m[0] + m[1] * m[1]) + m[2] * m[2]) / state.density;
  return background_pressure + (gamma - 1) * (state.energy - kinetic);
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
TAYRA_HD N face_speed(const Cell<N>& left, const Cell<N>& right) {
  return larger<N>(signal_speed<axis>(left), signal_speed<axis>(right));
}
template <int axis, class N>
TAYRA_HD N face_speed(const Stencil<N>& s) {
  return face_speed<axis>(s.left, s.right);
}

/// The background's pressure at the face.
template <class N>
TAYRA_HD N face_background(const Cell<N>& left, const Cell<N>& right) {
  return RealOf<N>(0.5) * (left.background_pressure + right.background_pressure);
}

/// q(i+2) - 3 q(i+1) + 3 q(i) - q(i-1) of numbers, vectors or states; exactly antisymmetric under a mirror.
template <class N, class Q>
TAYRA_HD Q third_difference(const Q& far_left, const Q& left, const Q& right, const Q& far_right) {
  return multiply_add(N(RealOf<N>(-3)), right - left, far_right - far_left);
}

}  // namespace tayra
