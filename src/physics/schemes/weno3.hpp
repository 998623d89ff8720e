// weno3: third-order WENO with its own weights, characteristic by characteristic, each wave by its speed.
#pragma once

#include "physics/waves.hpp"

namespace tayra {

struct Weno3 {
  static constexpr const char* name = "weno3";
  static constexpr CellForm form = CellForm::conserved;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = false;
  static constexpr bool uses_root_density = true;
  static constexpr int flux_multiple = 1;

  /// Third-order upwind-biased value at the face after b. Weights g_k (1 + (tau / beta_k)^2) as Borges et al.
  /// (2008), with two changes that keep third order at extrema (docs/decisions/0004): tau is the squared
  /// third difference of all four cells around the face, and each beta_k gets a share of their sum, so that
  /// none vanishes alone.
  template <class N>
  static TAYRA_HD N interpolate(N a, N b, N c, N d) {
    using Real = RealOf<N>;
    const N before = (b - a) * (b - a);
    const N across = (c - b) * (c - b);
    // Differences below a millionth of the value, or of the roughness, count as smooth: no weight overflows.
    // `tiny` keeps 0 / 0 out.
    const Real tiny = sizeof(Real) == 4 ? Real(1e-18) : Real(1e-120);
    const N third = multiply_add<N>(N(Real(-3)), c - b, d - a);
    const N tau = third * third;
    const N noise = multiply_add<N>(N(Real(1e-12)), b * b + tau, N(tiny));
    const N shared = multiply_add<N>(N(Real(0.03)), before + across, noise);
    const N beta_before = before + shared;
    const N beta_across = across + shared;
    const N scale = tau * reciprocal<N>(beta_before * beta_across);
    const N rough_before = scale * beta_across;  // tau / beta_before
    const N rough_across = scale * beta_before;
    const N weight_before = multiply_add<N>(rough_before, rough_before, N(Real(1)));
    const N weight_across = Real(2) * multiply_add<N>(rough_across, rough_across, N(Real(1)));
    return multiply_add<N>(weight_before, Real(3) * b - a, weight_across * (b + c)) *
           reciprocal<N>(Real(2) * (weight_before + weight_across));
  }

  /// Face value of one wave: f+ = (f + speed u) / 2 from the left, f- = (f - speed u) / 2 from the right.
  template <class N>
  static TAYRA_HD N split(N speed, const N (&f)[4], const N (&u)[4]) {
    const N plus = interpolate<N>(multiply_add<N>(speed, u[0], f[0]), multiply_add<N>(speed, u[1], f[1]),
                                  multiply_add<N>(speed, u[2], f[2]), multiply_add<N>(speed, u[3], f[3]));
    const N minus = interpolate<N>(multiply_add<N>(-speed, u[3], f[3]), multiply_add<N>(-speed, u[2], f[2]),
                                   multiply_add<N>(-speed, u[1], f[1]), multiply_add<N>(-speed, u[0], f[0]));
    return RealOf<N>(0.5) * (plus + minus);
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const MeanState<N> mean = roe_average(s.left, s.right, gas);
    const Waves<N> f0 = to_waves<axis>(euler_flux<axis>(s.far_left), mean, gas);
    const Waves<N> f1 = to_waves<axis>(euler_flux<axis>(s.left), mean, gas);
    const Waves<N> f2 = to_waves<axis>(euler_flux<axis>(s.right), mean, gas);
    const Waves<N> f3 = to_waves<axis>(euler_flux<axis>(s.far_right), mean, gas);
    const Waves<N> u0 = to_waves<axis>(s.far_left.state, mean, gas);
    const Waves<N> u1 = to_waves<axis>(s.left.state, mean, gas);
    const Waves<N> u2 = to_waves<axis>(s.right.state, mean, gas);
    const Waves<N> u3 = to_waves<axis>(s.far_right.state, mean, gas);

    const N left = s.left.velocity[axis];
    const N right = s.right.velocity[axis];
    const N flow = maximum<N>(absolute<N>(left), absolute<N>(right));
    const N minus =
        maximum<N>(absolute<N>(left - s.left.sound_speed), absolute<N>(right - s.right.sound_speed));
    const N plus =
        maximum<N>(absolute<N>(left + s.left.sound_speed), absolute<N>(right + s.right.sound_speed));

    Waves<N> face;
    face.acoustic_minus =
        split<N>(minus, {f0.acoustic_minus, f1.acoustic_minus, f2.acoustic_minus, f3.acoustic_minus},
                 {u0.acoustic_minus, u1.acoustic_minus, u2.acoustic_minus, u3.acoustic_minus});
    face.acoustic_plus =
        split<N>(plus, {f0.acoustic_plus, f1.acoustic_plus, f2.acoustic_plus, f3.acoustic_plus},
                 {u0.acoustic_plus, u1.acoustic_plus, u2.acoustic_plus, u3.acoustic_plus});
    face.density = split<N>(flow, {f0.density, f1.density, f2.density, f3.density},
                            {u0.density, u1.density, u2.density, u3.density});
    for (int i = 0; i < 3; ++i)
      face.shear[i] = i == axis ? N(RealOf<N>(0))
                                : split<N>(flow, {f0.shear[i], f1.shear[i], f2.shear[i], f3.shear[i]},
                                           {u0.shear[i], u1.shear[i], u2.shear[i], u3.shear[i]});
    return from_waves<axis>(face, mean);
  }
};

}  // namespace tayra
