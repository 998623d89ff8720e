// muscl: primitive variables, kappa = 1/3 with Koren's limiter, HLLC in perturbation form. The robust choice.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

struct Muscl {
  static constexpr const char* name = "muscl";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_sound_speed = false;
  static constexpr bool uses_root_density = false;
  static constexpr int flux_multiple = 1;

  /// One side of the face: whole density and pressure, plus the pressure less the face's background.
  template <class N>
  struct FaceState {
    N density;
    N inverse_density;
    Vector<N> velocity;
    N pressure;
    N perturbation;
  };

  /// Half of Koren's limited slope: from `before` (behind the cell) and `after` (towards the face).
  template <class N>
  static TAYRA_HD N half_slope(N before, N after) {
    using Real = RealOf<N>;
    const N sign = select<N>(after < Real(0), N(Real(-1)), N(Real(1)));
    const N a = sign * before;
    const N b = absolute<N>(after);
    const N slope = minimum<N>(minimum<N>(Real(2) * a, Real(2) * b), Real(1. / 3) * (a + Real(2) * b));
    return Real(0.5) * (sign * maximum<N>(slope, N(Real(0))));
  }

  template <class N>
  static TAYRA_HD N reach(N behind, N cell, N ahead) {
    return cell + half_slope<N>(cell - behind, ahead - cell);
  }

  /// The cell's value carried to its face towards `ahead`.
  template <class N>
  static TAYRA_HD FaceState<N> side(const Cell<N>& behind, const Cell<N>& cell, const Cell<N>& ahead,
                                    N face_background) {
    FaceState<N> s;
    s.density = reach<N>(behind.state.density, cell.state.density, ahead.state.density);
    s.inverse_density = reciprocal<N>(s.density);
    for (int i = 0; i < 3; ++i)
      s.velocity[i] = reach<N>(behind.velocity[i], cell.velocity[i], ahead.velocity[i]);
    s.perturbation = reach<N>(behind.pressure, cell.pressure, ahead.pressure);
    s.pressure = s.perturbation + face_background;
    return s;
  }

  /// Flux of a state with this density, speed along the axis and energy plus pressure; the rest is the
  /// side's.
  template <int axis, class N>
  static TAYRA_HD State<N> flux_of(const FaceState<N>& side, N density, N speed, N energy_and_pressure,
                                   N perturbation) {
    Vector<N> velocity = side.velocity;
    velocity[axis] = speed;
    const N mass = density * speed;
    State<N> flux{mass, mass * velocity, energy_and_pressure * speed};
    flux.momentum[axis] = flux.momentum[axis] + perturbation;
    return flux;
  }

  /// Through a face upwind of which lies `s`: F(U*) of the state between the outer wave and the contact
  /// (Toro, Spruce & Speares 1994), so that a resting contact carries nothing, to the last bit; or F(U) of
  /// the side itself, when even the outer wave leaves it.
  template <int axis, class N>
  static TAYRA_HD State<N> upwind_flux(const FaceState<N>& s, N wave_speed, N contact_speed,
                                       MaskOf<N> is_supersonic, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N u = s.velocity[axis];
    const N push = s.density * (wave_speed - u);
    const N star_density = push * reciprocal<N>(wave_speed - contact_speed);
    const N rise = push * (contact_speed - u);
    const N specific_energy = multiply_add<N>(gas.inverse_gamma_minus_1 * s.pressure, s.inverse_density,
                                              Real(0.5) * dot(s.velocity, s.velocity));
    const N star_specific_energy =
        multiply_add<N>(contact_speed - u, contact_speed + s.pressure * reciprocal<N>(push), specific_energy);
    const N density = select<N>(is_supersonic, s.density, star_density);
    const N added = select<N>(is_supersonic, N(Real(0)), rise);
    const N energy_and_pressure = multiply_add<N>(
        density, select<N>(is_supersonic, specific_energy, star_specific_energy), s.pressure + added);
    return flux_of<axis>(s, density, select<N>(is_supersonic, u, contact_speed), energy_and_pressure,
                         s.perturbation + added);
  }

  template <class N>
  static TAYRA_HD FaceState<N> select_side(MaskOf<N> which, const FaceState<N>& yes, const FaceState<N>& no) {
    FaceState<N> chosen{select<N>(which, yes.density, no.density),
                        select<N>(which, yes.inverse_density, no.inverse_density),
                        {},
                        select<N>(which, yes.pressure, no.pressure),
                        select<N>(which, yes.perturbation, no.perturbation)};
    for (int i = 0; i < 3; ++i) chosen.velocity[i] = select<N>(which, yes.velocity[i], no.velocity[i]);
    return chosen;
  }

  /// Outer waves bounded by both sides (Davis 1988); the contact from the jump relations, blind to the
  /// background.
  template <int axis, class N>
  static TAYRA_HD State<N> hllc(const FaceState<N>& l, const FaceState<N>& r, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N ul = l.velocity[axis];
    const N ur = r.velocity[axis];
    const N sound = square_root<N>(
        gas.gamma * maximum<N>(l.pressure * l.inverse_density, r.pressure * r.inverse_density));
    const N slowest = minimum<N>(ul, ur) - sound;
    const N fastest = maximum<N>(ul, ur) + sound;
    const N push_left = l.density * (slowest - ul);
    const N push_right = r.density * (fastest - ur);
    const N contact = ((r.perturbation - l.perturbation) + (push_left * ul - push_right * ur)) *
                      reciprocal<N>(push_left - push_right);
    const MaskOf<N> from_right = contact < Real(0);
    return upwind_flux<axis>(select_side<N>(from_right, r, l), select<N>(from_right, fastest, slowest),
                             contact, (slowest > Real(0)) | (fastest < Real(0)), gas);
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const N background = face_background(s);
    return hllc<axis>(side<N>(s.far_left, s.left, s.right, background),
                      side<N>(s.far_right, s.right, s.left, background), gas);
  }
};

}  // namespace tayra
