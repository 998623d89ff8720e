// weno3: third-order WENO with its own weights, characteristic by characteristic, each wave by its speed.
#pragma once

#include "physics/scheme.hpp"
#include "physics/waves.hpp"

namespace tayra {

struct Weno3 {
  static constexpr const char* name = "weno3";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_enthalpy = true;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = false;
  static constexpr bool uses_inverse_root_density = true;
  static constexpr int flux_multiple = 4;

  static constexpr SchemeTraits traits{
      .summary = "shocks and fine waves together, in 2.7 to 3 times muscl's time on a GPU",
      .order = 3,
      .growth_error = 0.01,
      .keeps_contacts = true,
      .keeps_crests = true,
      .captures_shocks = true,
      .wants_limiter = true,
      .lacks_of_order = 0.5,
      .lets_sound_grow = true,
      .fills_registers = true,
  };

  template <class N>
  struct Roughness {
    N beta_before, beta_across, tau;
  };
  /// Each beta has a share of both squared differences, so that none vanishes alone.
  template <class N>
  static TAYRA_HD Roughness<N> roughness(N before_squared, N across_squared, N third_squared, N noise) {
    using Real = RealOf<N>;
    if constexpr (sizeof(Real) == 8) {  // holds products of eight differences up to 1e34
      const N share = multiply_add<N>(N(Real(0.03)), before_squared + across_squared, noise);
      return {before_squared + share, across_squared + share, third_squared};
    }
    // In single all are counted in units of the share, to which tau adds. A jump to far hotter gas beyond the
    // face is cut, for how far it goes is nothing to the weights; across the face Roe's mean bounds jumps.
    const N most = N(Real(1e34));
    const N before = smaller<N>(before_squared, most);
    const N tau = smaller<N>(third_squared, most);
    constexpr Real unit = Real(1) / 1024, times = 1 / unit;
    const N least = multiply_add<N>(N(times * Real(1e-12)), tau, times * noise);
    const N in_units = reciprocal<N>(multiply_add<N>(N(times * Real(0.03)), before + across_squared, least));
    return {multiply_add<N>(before, in_units, N(unit)), multiply_add<N>(across_squared, in_units, N(unit)),
            tau * in_units};
  }

  template <class N>
  struct Quotient {
    N dividend, divisor;
  };
  /// Twice what a third-order upwind-biased value at a face has more than the cell before it, by the
  /// differences before that cell, across the face and after it. Weights g_k (1 + (tau / beta_k)^2) as Borges
  /// et al. (2008), with tau and betas that keep third order at extrema (docs/decisions/0004), multiplied by
  /// both beta_k^2.
  template <class N>
  static TAYRA_HD Quotient<N> twice_the_rise(N before, N across, N after, N noise) {
    using Real = RealOf<N>;
    const N third = multiply_add<N>(N(Real(-2)), across, before + after);
    const auto [beta_before, beta_across, tau] =
        roughness<N>(before * before, across * across, third * third, noise);
    const N square_before = beta_before * beta_before;
    const N square_across = beta_across * beta_across;
    const N weight_before = square_across * multiply_add<N>(tau, tau, square_before);
    const N weight_across = Real(2) * (square_before * multiply_add<N>(tau, tau, square_across));
    return {multiply_add<N>(weight_before, before, weight_across * across), weight_before + weight_across};
  }

  /// Differences well below this share of the mass flux that a wave's speed carries are smooth. Otherwise the
  /// crest of a sharp curved interface, which neighbouring rows cut in steps, counts as jumps
  /// (docs/decisions/0016).
  static constexpr double smooth_share = 0.04;

  /// The square of what counts as smooth: of waves that stand still a millionth of the mass that sound
  /// carries.
  template <class N>
  static TAYRA_HD N noise_of(N mass_by_wave, N mass_by_sound) {
    using Real = RealOf<N>;
    // Keeps 0 / 0 out, in double where four are multiplied.
    const Real tiny = sizeof(Real) == 4 ? Real(1e-36) : Real(1e-70);
    const N smooth = Real(smooth_share) * mass_by_wave;
    return multiply_add<N>(smooth, smooth,
                           multiply_add<N>(Real(1e-12) * mass_by_sound, mass_by_sound, N(tiny)));
  }

  /// Differences of one wave between the four cells about a face: of the flux and of the state.
  template <class N>
  struct WaveDifferences {
    N flux[3], state[3];
  };
  /// f+ = (f + speed u) / 2 from the left, f- = (f - speed u) / 2 from the right: four times what they come
  /// to at the face, less twice the flux of both cells.
  template <class N>
  static TAYRA_HD N split(N speed, N noise, const WaveDifferences<N>& d) {
    using Real = RealOf<N>;
    N plus[3], minus[3];
    for (int i = 0; i < 3; ++i) {
      plus[i] = multiply_add<N>(speed, d.state[i], d.flux[i]);
      minus[i] = multiply_add<N>(-speed, d.state[i], d.flux[i]);
    }
    const Quotient<N> left = twice_the_rise<N>(plus[0], plus[1], plus[2], noise);
    const Quotient<N> right = twice_the_rise<N>(minus[2], minus[1], minus[0], noise);
    const N rises =
        left.dividend * reciprocal<N>(left.divisor) - right.dividend * reciprocal<N>(right.divisor);
    return multiply_add<N>(Real(-2) * speed, d.state[1], rises);
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const MeanState<N> mean = roe_average(s.left, s.right, gas);
    const State<N> far_left = euler_flux<axis>(s.far_left), left_flux = euler_flux<axis>(s.left);
    const State<N> right_flux = euler_flux<axis>(s.right), far_right = euler_flux<axis>(s.far_right);
    const Waves<N> f0 = to_waves<axis>(left_flux - far_left, mean, gas);
    const Waves<N> f1 = to_waves<axis>(right_flux - left_flux, mean, gas);
    const Waves<N> f2 = to_waves<axis>(far_right - right_flux, mean, gas);
    const Waves<N> u0 = state_waves<axis>(s.far_left, s.left, mean);
    const Waves<N> u1 = state_waves<axis>(s.left, s.right, mean);
    const Waves<N> u2 = state_waves<axis>(s.right, s.far_right, mean);

    const N left = s.left.velocity[axis];
    const N right = s.right.velocity[axis];
    const N flow = maximum<N>(absolute<N>(left), absolute<N>(right));
    const N minus =
        maximum<N>(absolute<N>(left - s.left.sound_speed), absolute<N>(right - s.right.sound_speed));
    const N plus =
        maximum<N>(absolute<N>(left + s.left.sound_speed), absolute<N>(right + s.right.sound_speed));

    const auto noise = [&](N speed) {
      return noise_of<N>(mean.density * speed, mean.density * mean.sound_speed);
    };
    const N noise_of_flow = noise(flow);
    Waves<N> face;
    face.acoustic_minus = split<N>(minus, noise(minus),
                                   {{f0.acoustic_minus, f1.acoustic_minus, f2.acoustic_minus},
                                    {u0.acoustic_minus, u1.acoustic_minus, u2.acoustic_minus}});
    face.acoustic_plus = split<N>(plus, noise(plus),
                                  {{f0.acoustic_plus, f1.acoustic_plus, f2.acoustic_plus},
                                   {u0.acoustic_plus, u1.acoustic_plus, u2.acoustic_plus}});
    face.density = split<N>(flow, noise_of_flow,
                            {{f0.density, f1.density, f2.density}, {u0.density, u1.density, u2.density}});
    for (int i = 0; i < 3; ++i) {
      if (i == axis) {
        face.shear[i] = N(Real(0));
        continue;
      }
      // In units of the speed of sound, so that all waves are of one size.
      const N unit_speed = mean.inverse_sound_speed;
      face.shear[i] =
          mean.sound_speed *
          split<N>(flow, noise_of_flow,
                   {{unit_speed * f0.shear[i], unit_speed * f1.shear[i], unit_speed * f2.shear[i]},
                    {u0.shear[i], u1.shear[i], u2.shear[i]}});
    }
    return multiply_add(N(Real(2)), left_flux + right_flux, from_waves<axis>(face, mean));
  }

  /// Waves of the difference of two cells, by what sound carries (as in roe3); shear in units of the speed of
  /// sound. Of the cells at the face they are those of the conserved state, by Roe's average.
  template <int axis, class N>
  static TAYRA_HD Waves<N> state_waves(const Cell<N>& from, const Cell<N>& to, const MeanState<N>& mean) {
    using Real = RealOf<N>;
    const N pressure = to.pressure - from.pressure;
    const N mass = mean.density * mean.inverse_sound_speed;
    const N inverse_square = mean.inverse_sound_speed * mean.inverse_sound_speed;
    Vector<N> shear = mass * (to.velocity - from.velocity);
    const N of_pressure = Real(0.5) * inverse_square * pressure;
    const N normal = shear[axis];
    shear[axis] = N(Real(0));
    return {multiply_add<N>(N(Real(-0.5)), normal, of_pressure),
            multiply_add<N>(N(Real(0.5)), normal, of_pressure),
            multiply_add<N>(-inverse_square, pressure, to.state.density - from.state.density), shear};
  }
};

}  // namespace tayra
