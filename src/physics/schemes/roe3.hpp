// roe3: upwind3's central flux with third differences that each wave damps by its own speed.
#pragma once

#include "physics/waves.hpp"

namespace tayra {

struct Roe3 {
  static constexpr const char* name = "roe3";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_sound_speed = false;
  static constexpr bool uses_root_density = true;
  static constexpr int flux_multiple = 12;

  /// Differences of what sound carries. The momentum of a wave jumps where the density does: differences of
  /// the conserved variables would let sound grow at jumps (docs/decisions/0005).
  template <class N>
  struct Differences {
    N density;
    Vector<N> velocity;
    N pressure;
  };

  template <class N>
  static TAYRA_HD Differences<N> third_differences(const Stencil<N>& s) {
    return {
        third_difference<N>(s.far_left.state.density, s.left.state.density, s.right.state.density,
                            s.far_right.state.density),
        third_difference<N>(s.far_left.velocity, s.left.velocity, s.right.velocity, s.far_right.velocity),
        third_difference<N>(s.far_left.pressure, s.left.pressure, s.right.pressure, s.far_right.pressure)};
  }

  /// |A| d, both acoustic waves summed: |u + c| + |u - c| = 2 max(|u|, c), and |u + c| - |u - c| is twice u
  /// held between -c and c.
  template <int axis, class N>
  static TAYRA_HD State<N> dissipation(const Differences<N>& d, const MeanState<N>& mean,
                                       const Gas<RealOf<N>>& gas) {
    const N u = mean.velocity[axis];
    const N c = mean.sound_speed;
    const N speed = absolute<N>(u);
    const N damping = larger<N>(speed, c);
    const N drift = larger<N>(-c, smaller<N>(u, c));
    const N pressure = d.pressure * mean.inverse_sound_speed;
    const N momentum = mean.density * d.velocity[axis];
    const N sound = multiply_add<N>(damping, pressure, drift * momentum);
    const N density_wave = multiply_add<N>(-pressure, mean.inverse_sound_speed, d.density);
    const N mass = multiply_add<N>(sound, mean.inverse_sound_speed, speed * density_wave);
    Vector<N> pushed = (speed * mean.density) * d.velocity;
    pushed[axis] = multiply_add<N>(drift, pressure, damping * momentum);
    const N half_mass = RealOf<N>(0.5) * mass;
    const Vector<N> half_moved = multiply_add(half_mass, mean.velocity, pushed);
    return {mass, multiply_add(half_mass, mean.velocity, half_moved),
            multiply_add<N>(gas.inverse_gamma_minus_1 * c, sound, dot(mean.velocity, half_moved))};
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const MeanState<N> mean = contact_mean(s.left, s.right, gas);
    return twelve_central_fluxes<axis, form>(s) + dissipation<axis>(third_differences(s), mean, gas);
  }
};

}  // namespace tayra
