// Roe's average of two cells and the five waves of the Euler equations about it.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

template <class N>
struct MeanState {
  N density;
  Vector<N> velocity;
  N enthalpy;  // per mass
  N half_speed_squared;
  N sound_speed;
  N inverse_sound_speed;
};

/// Roe (1981): velocity and enthalpy weighted by sqrt(rho); of a cell's enthalpy rho H that is rho H /
/// sqrt(rho).
template <class N>
TAYRA_HD MeanState<N> roe_average(const Cell<N>& left, const Cell<N>& right, const Gas<RealOf<N>>& gas) {
  const N left_root = left.inverse_root_density * left.state.density;
  const N right_root = right.inverse_root_density * right.state.density;
  const N weight = reciprocal<N>(left_root + right_root);
  const N l = weight * left.inverse_root_density;
  const N r = weight * right.inverse_root_density;
  const Vector<N> velocity = (weight * left_root) * left.velocity + (weight * right_root) * right.velocity;
  const N mean_enthalpy = l * left.enthalpy + r * right.enthalpy;
  const N half_speed_squared = RealOf<N>(0.5) * dot(velocity, velocity);
  const N sound_speed = square_root<N>(gas.gamma_minus_1 * (mean_enthalpy - half_speed_squared));
  return {left_root * right_root, velocity,    mean_enthalpy,
          half_speed_squared,     sound_speed, reciprocal<N>(sound_speed)};
}

/// What a small change q of the state does to the pressure.
template <class N>
TAYRA_HD N pressure_part(const State<N>& q, const MeanState<N>& mean, const Gas<RealOf<N>>& gas) {
  return gas.gamma_minus_1 *
         multiply_add<N>(mean.half_speed_squared, q.density, q.energy - dot(mean.velocity, q.momentum));
}

/// Strengths of the waves that make up a state: two acoustic, density, and shear (its normal component is
/// zero).
template <class N>
struct Waves {
  N acoustic_minus;
  N acoustic_plus;
  N density;
  Vector<N> shear;
};

/// Left eigenvectors applied to q.
template <int axis, class N>
TAYRA_HD Waves<N> to_waves(const State<N>& q, const MeanState<N>& mean, const Gas<RealOf<N>>& gas) {
  const N pressure = pressure_part(q, mean, gas);
  Vector<N> shear = multiply_add(-q.density, mean.velocity, q.momentum);
  const N acoustic_momentum = mean.sound_speed * shear[axis];
  shear[axis] = N(RealOf<N>(0));
  const N inverse_square = mean.inverse_sound_speed * mean.inverse_sound_speed;
  const N half_inverse_square = RealOf<N>(0.5) * inverse_square;
  return {half_inverse_square * (pressure - acoustic_momentum),
          half_inverse_square * (pressure + acoustic_momentum),
          multiply_add<N>(-inverse_square, pressure, q.density), shear};
}

/// Right eigenvectors weighted by strengths: the inverse of to_waves.
template <int axis, class N>
TAYRA_HD State<N> from_waves(const Waves<N>& w, const MeanState<N>& mean) {
  const N acoustic = w.acoustic_minus + w.acoustic_plus;
  const N acoustic_momentum = mean.sound_speed * (w.acoustic_plus - w.acoustic_minus);
  const N sum = acoustic + w.density;
  const N acoustic_energy = multiply_add<N>(mean.enthalpy, acoustic, mean.velocity[axis] * acoustic_momentum);
  State<N> q{
      sum, multiply_add(sum, mean.velocity, w.shear),
      multiply_add<N>(mean.half_speed_squared, w.density, acoustic_energy) + dot(mean.velocity, w.shear)};
  q.momentum[axis] = q.momentum[axis] + acoustic_momentum;
  return q;
}

}  // namespace tayra
