// weno3: third-order WENO with its own weights, characteristic by characteristic, each wave by its speed.
#pragma once

#include "physics/waves.hpp"

namespace tayra {

struct Weno3 {
  static constexpr const char* name = "weno3";
  static constexpr CellForm form = CellForm::conserved;
  static constexpr bool uses_enthalpy = true;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = false;
  static constexpr bool uses_root_density = true;
  static constexpr int flux_multiple = 1;

  /// How rough the cells about the face after b are: the squared third difference of all four, and of the
  /// squared differences before and across b each with a share of both, so that none vanishes alone.
  template <class N>
  struct Roughness {
    N tau, before, across;
  };
  template <class N>
  static TAYRA_HD Roughness<N> roughness(N a, N b, N c, N d) {
    using Real = RealOf<N>;
    const N before = (b - a) * (b - a);
    const N across = (c - b) * (c - b);
    // Differences below a millionth of the value, or of the roughness, count as smooth: no weight overflows.
    // `tiny` keeps 0 / 0 out, also of four multiplied.
    const Real tiny = sizeof(Real) == 4 ? Real(1e-18) : Real(1e-70);
    const N third = multiply_add<N>(N(Real(-3)), c - b, d - a);
    const N tau = third * third;
    const N noise = multiply_add<N>(N(Real(1e-12)), b * b + tau, N(tiny));
    const N shared = multiply_add<N>(N(Real(0.03)), before + across, noise);
    return {tau, before + shared, across + shared};
  }

  template <class N>
  struct Quotient {
    N dividend, divisor;
  };
  /// Third-order upwind-biased value at the face after b. Weights g_k (1 + (tau / beta_k)^2) as Borges et al.
  /// (2008), with a tau and betas that keep third order at extrema (docs/decisions/0004).
  template <class N>
  static TAYRA_HD Quotient<N> interpolate(N a, N b, N c, const Roughness<N>& rough, N inverse_betas) {
    using Real = RealOf<N>;
    const N scale = rough.tau * inverse_betas;
    const N over_before = scale * rough.across, over_across = scale * rough.before;  // tau / beta_k
    const N weight_before = multiply_add<N>(over_before, over_before, N(Real(1)));
    const N weight_across = Real(2) * multiply_add<N>(over_across, over_across, N(Real(1)));
    return {multiply_add<N>(weight_before, Real(3) * b - a, weight_across * (b + c)),
            Real(2) * (weight_before + weight_across)};
  }

  /// Face value of one wave: f+ = (f + speed u) / 2 from the left, f- = (f - speed u) / 2 from the right.
  template <class N>
  static TAYRA_HD N split(N speed, const N (&f)[4], const N (&u)[4]) {
    N plus[4], minus[4];
    for (int i = 0; i < 4; ++i) {
      plus[i] = multiply_add<N>(speed, u[i], f[i]);
      minus[i] = multiply_add<N>(-speed, u[3 - i], f[3 - i]);
    }
    const Roughness<N> of_plus = roughness<N>(plus[0], plus[1], plus[2], plus[3]);
    const Roughness<N> of_minus = roughness<N>(minus[0], minus[1], minus[2], minus[3]);
    const Reciprocals<N> betas =
        reciprocals<N>(of_plus.before * of_plus.across, of_minus.before * of_minus.across);
    const Quotient<N> left = interpolate<N>(plus[0], plus[1], plus[2], of_plus, betas.first);
    const Quotient<N> right = interpolate<N>(minus[0], minus[1], minus[2], of_minus, betas.second);
    const Reciprocals<N> weights = reciprocals<N>(left.divisor, right.divisor);
    return RealOf<N>(0.5) * (left.dividend * weights.first + right.dividend * weights.second);
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
