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

  /// What the share counts as in the weights: products of four then stay in range, large ones and small.
  static constexpr double unit = 1. / 1024;

  /// How rough the cells about the face after b are: the squared third difference of all four, the squared
  /// differences before and across b, and a share of them, in units, that keeps either from vanishing alone.
  template <class N>
  struct Roughness {
    N tau, before, across, shared;
  };
  template <class N>
  static TAYRA_HD Roughness<N> roughness(N a, N b, N c, N d) {
    using Real = RealOf<N>;
    const N third = multiply_add<N>(N(Real(-3)), c - b, d - a);
    const N tau = bounded<N>(third * third);
    const N before = bounded<N>((b - a) * (b - a));
    const N across = bounded<N>((c - b) * (c - b));
    // Differences below a millionth of the value, or of the roughness, count as smooth: no weight overflows.
    // `tiny` keeps 0 / 0 out, also of two multiplied.
    const Real tiny = sizeof(Real) == 4 ? Real(1e-36) : Real(1e-140);
    constexpr Real times = 1 / Real(unit);
    const N noise = multiply_add<N>(N(times * Real(1e-12)), multiply_add<N>(b, b, tau), N(times * tiny));
    return {tau, before, across, multiply_add<N>(N(times * Real(0.03)), before + across, noise)};
  }
  /// In single the square of a jump from cold gas to very hot gas leaves the range; how far is nothing to the
  /// weights.
  template <class N>
  static TAYRA_HD N bounded(N square) {
    if constexpr (sizeof(RealOf<N>) == 4) return smaller<N>(square, N(RealOf<N>(1e34)));
    return square;
  }

  template <class N>
  struct Quotient {
    N dividend, divisor;
  };
  /// Third-order upwind-biased value at the face after b. Weights g_k (1 + (tau / beta_k)^2) as Borges et al.
  /// (2008), with a tau and betas that keep third order at extrema (docs/decisions/0004); multiplied by both
  /// beta_k^2, and with betas and tau counted in shares, which are never far from 1.
  template <class N>
  static TAYRA_HD Quotient<N> interpolate(N a, N b, N c, const Roughness<N>& rough, N inverse_share) {
    using Real = RealOf<N>;
    const N tau = rough.tau * inverse_share;
    const N beta_before = multiply_add<N>(rough.before, inverse_share, N(Real(unit)));
    const N beta_across = multiply_add<N>(rough.across, inverse_share, N(Real(unit)));
    const N square_before = beta_before * beta_before;
    const N square_across = beta_across * beta_across;
    const N weight_before = square_across * multiply_add<N>(tau, tau, square_before);
    const N weight_across = Real(2) * (square_before * multiply_add<N>(tau, tau, square_across));
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
    const Reciprocals<N> shares = reciprocals<N>(of_plus.shared, of_minus.shared);
    const Quotient<N> left = interpolate<N>(plus[0], plus[1], plus[2], of_plus, shares.first);
    const Quotient<N> right = interpolate<N>(minus[0], minus[1], minus[2], of_minus, shares.second);
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
