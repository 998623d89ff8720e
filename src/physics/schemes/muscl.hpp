// muscl: primitive variables, kappa = 1/3 with Koren's limiter, HLLC in perturbation form. The robust choice.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

struct Muscl {
  static constexpr const char* name = "muscl";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_sound_speed = false;
  static constexpr bool uses_inverse_sound_speed = false;
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

  /// Half of Koren's limited slope: from the cell's jump behind and the one towards the face. Odd in both, to
  /// the last bit.
  template <class N>
  static TAYRA_HD N half_slope(N behind, N ahead) {
    using Real = RealOf<N>;
    const N a = times_sign<N>(behind, ahead);
    const N b = absolute<N>(ahead);
    const N third = Real(1. / 6) * multiply_add<N>(N(Real(2)), b, a);
    return times_sign<N>(positive_part<N>(smaller<N>(smaller<N>(a, b), third)), ahead);
  }

  template <class N>
  struct Sides {
    N left, right;
  };

  /// Both cells' values carried to the face between them.
  template <class N>
  static TAYRA_HD Sides<N> reach(N far_left, N left, N right, N far_right) {
    const N jump = right - left;
    return {left + half_slope<N>(left - far_left, jump), right - half_slope<N>(far_right - right, jump)};
  }

  template <class N>
  static TAYRA_HD Sides<FaceState<N>> sides(const Stencil<N>& s) {
    const auto of = [&](auto&& value) {
      return reach<N>(value(s.far_left), value(s.left), value(s.right), value(s.far_right));
    };
    const Sides<N> density = of([](const Cell<N>& cell) { return cell.state.density; });
    const Sides<N> x = of([](const Cell<N>& cell) { return cell.velocity[0]; });
    const Sides<N> y = of([](const Cell<N>& cell) { return cell.velocity[1]; });
    const Sides<N> z = of([](const Cell<N>& cell) { return cell.velocity[2]; });
    const Sides<N> perturbation = of([](const Cell<N>& cell) { return cell.pressure; });
    const N background = face_background(s);
    return {{density.left,
             reciprocal<N>(density.left),
             {{x.left, y.left, z.left}},
             perturbation.left + background,
             perturbation.left},
            {density.right,
             reciprocal<N>(density.right),
             {{x.right, y.right, z.right}},
             perturbation.right + background,
             perturbation.right}};
  }

  /// Through a face upwind of which lies `s`: F(U*) of the state between the outer wave and the contact
  /// (Toro, Spruce & Speares 1994), so that a resting contact carries nothing, to the last bit; or F(U) of
  /// the side itself, when even the outer wave leaves it.
  template <int axis, class N>
  static TAYRA_HD State<N> upwind_flux(const FaceState<N>& s, N wave_speed, N contact_speed,
                                       MaskOf<N> is_supersonic, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N zero = N(Real(0));
    const N u = s.velocity[axis];
    const N push = s.density * (wave_speed - u);
    const N inverse_gap = select<N>(is_supersonic, zero, reciprocal<N>(wave_speed - contact_speed));
    const N density = select<N>(is_supersonic, s.density, push * inverse_gap);
    const N speed = select<N>(is_supersonic, u, contact_speed);
    const N drift = speed - u;
    const N rise = push * drift;
    const N specific_energy = multiply_add<N>(gas.inverse_gamma_minus_1 * s.pressure, s.inverse_density,
                                              Real(0.5) * dot(s.velocity, s.velocity));
    const N energy_and_pressure = multiply_add<N>(
        drift * s.pressure, inverse_gap,
        multiply_add<N>(density, multiply_add<N>(drift, speed, specific_energy), s.pressure + rise));
    const N mass = density * speed;
    Vector<N> velocity = s.velocity;
    velocity[axis] = speed;
    State<N> flux{mass, mass * velocity, energy_and_pressure * speed};
    flux.momentum[axis] = flux.momentum[axis] + (s.perturbation + rise);
    return flux;
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
    const N sound =
        square_root<N>(gas.gamma * larger<N>(l.pressure * l.inverse_density, r.pressure * r.inverse_density));
    const N slowest = smaller<N>(ul, ur) - sound;
    const N fastest = larger<N>(ul, ur) + sound;
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
    const Sides<FaceState<N>> face = sides(s);
    return hllc<axis>(face.left, face.right, gas);
  }
};

}  // namespace tayra
