// roe3: upwind3's central flux with a third difference that each wave damps by its own speed.
#pragma once

#include "physics/waves.hpp"

namespace tayra {

struct Roe3 {
  static constexpr const char* name = "roe3";

  /// |A| d = |u| d + sum over both acoustic waves of (|u -+ c| - |u|) strength r; |u| is every other wave's
  /// speed.
  template <int axis, class N>
  static TAYRA_HD State<N> dissipation(const State<N>& d, const MeanState<N>& mean,
                                       const Gas<RealOf<N>>& gas) {
    const N u = mean.velocity[axis];
    const N c = mean.sound_speed;
    const N speed = absolute<N>(u);
    const N pressure = pressure_part(d, mean, gas);
    const N acoustic_momentum = c * multiply_add<N>(-u, d.density, d.momentum[axis]);
    const N half_inverse_square = RealOf<N>(0.5) * reciprocal<N>(mean.sound_speed_squared);
    const N minus = (absolute<N>(u - c) - speed) * (half_inverse_square * (pressure - acoustic_momentum));
    const N plus = (absolute<N>(u + c) - speed) * (half_inverse_square * (pressure + acoustic_momentum));
    const N sum = minus + plus;
    const N difference = c * (plus - minus);
    State<N> acoustic{sum, sum * mean.velocity, multiply_add<N>(sum, mean.enthalpy, difference * u)};
    acoustic.momentum[axis] = acoustic.momentum[axis] + difference;
    return multiply_add(speed, d, acoustic);
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const MeanState<N> mean = roe_average(s.left, s.right, gas);
    return RealOf<N>(1. / 12) *
           (twelve_central_fluxes<axis>(s, gas) + dissipation<axis>(third_difference(s), mean, gas));
  }
};

}  // namespace tayra
