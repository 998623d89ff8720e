// muscl: primitive variables, kappa = 1/3 with Koren's limiter, HLLC in perturbation form. The robust choice.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

struct Muscl {
  static constexpr const char* name = "muscl";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_sound_speed = false;
  static constexpr bool uses_root_density = false;

  /// One side of the face: whole density and pressure, plus the pressure less the face's background.
  template <class N>
  struct FaceState {
    N density;
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
    for (int i = 0; i < 3; ++i)
      s.velocity[i] = reach<N>(behind.velocity[i], cell.velocity[i], ahead.velocity[i]);
    s.perturbation = reach<N>(behind.pressure, cell.pressure, ahead.pressure);
    s.pressure = s.perturbation + face_background;
    return s;
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux_of(const FaceState<N>& s, const Gas<RealOf<N>>& gas) {
    const N mass = s.density * s.velocity[axis];
    const N energy_and_pressure =
        gas.enthalpy_of_pressure * s.pressure + RealOf<N>(0.5) * (s.density * dot(s.velocity, s.velocity));
    State<N> flux{mass, mass * s.velocity, energy_and_pressure * s.velocity[axis]};
    flux.momentum[axis] = flux.momentum[axis] + s.perturbation;
    return flux;
  }

  /// Flux of the state between an outer wave and the contact (Toro, Spruce & Speares 1994), taken as F(U*) so
  /// that a resting contact carries nothing, to the last bit.
  template <int axis, class N>
  static TAYRA_HD State<N> star_flux(const FaceState<N>& s, N wave_speed, N contact_speed,
                                     const Gas<RealOf<N>>& gas) {
    const N u = s.velocity[axis];
    const N push = s.density * (wave_speed - u);
    const N density = push * reciprocal<N>(wave_speed - contact_speed);
    const N rise = push * (contact_speed - u);
    const N energy =
        gas.inverse_gamma_minus_1 * s.pressure + RealOf<N>(0.5) * (s.density * dot(s.velocity, s.velocity));
    const N star_energy =
        density * multiply_add<N>(contact_speed - u, contact_speed + s.pressure * reciprocal<N>(push),
                                  energy * reciprocal<N>(s.density));
    Vector<N> velocity = s.velocity;
    velocity[axis] = contact_speed;
    const N mass = density * contact_speed;
    State<N> flux{mass, mass * velocity, (star_energy + (s.pressure + rise)) * contact_speed};
    flux.momentum[axis] = flux.momentum[axis] + (s.perturbation + rise);
    return flux;
  }

  /// Outer waves bounded by both sides (Davis 1988); the contact from the jump relations, blind to the
  /// background.
  template <int axis, class N>
  static TAYRA_HD State<N> hllc(const FaceState<N>& l, const FaceState<N>& r, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N left_sound = square_root<N>(gas.gamma * l.pressure * reciprocal<N>(l.density));
    const N right_sound = square_root<N>(gas.gamma * r.pressure * reciprocal<N>(r.density));
    const N ul = l.velocity[axis];
    const N ur = r.velocity[axis];
    const N sound = maximum<N>(left_sound, right_sound);
    const N slowest = minimum<N>(ul, ur) - sound;
    const N fastest = maximum<N>(ul, ur) + sound;
    const N push_left = l.density * (slowest - ul);
    const N push_right = r.density * (fastest - ur);
    const N contact = ((r.perturbation - l.perturbation) + (push_left * ul - push_right * ur)) *
                      reciprocal<N>(push_left - push_right);
    const State<N> star = select(contact < Real(0), star_flux<axis>(r, fastest, contact, gas),
                                 star_flux<axis>(l, slowest, contact, gas));
    const State<N> inner = select(slowest > Real(0), flux_of<axis>(l, gas), star);
    return select(fastest < Real(0), flux_of<axis>(r, gas), inner);
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const N background = face_background(s);
    return hllc<axis>(side<N>(s.far_left, s.left, s.right, background),
                      side<N>(s.far_right, s.right, s.left, background), gas);
  }
};

}  // namespace tayra
