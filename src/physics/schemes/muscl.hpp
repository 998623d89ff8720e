// muscl: primitive variables, kappa = 1/3 with Koren's limiter, HLLC in perturbation form. The robust choice.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

struct Muscl {
  static constexpr const char* name = "muscl";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = false;
  static constexpr bool uses_root_density = false;
  static constexpr int flux_multiple = 1;

  /// One side of the face.
  template <class N>
  struct FaceState {
    N density;
    Vector<N> velocity;
    N perturbation;  // the pressure less the face's background
  };

  template <class N>
  struct Sides {
    N left, right;
  };

  /// Both cells' values carried to the face between them by half of Koren's limited slope: of the cell's
  /// jumps behind and ahead no more than either, and no more than a third of the way to a parabola.
  template <class N>
  static TAYRA_HD Sides<N> reach(N far_left, N left, N right, N far_right) {
    using Real = RealOf<N>;
    const N below = left - far_left, here = right - left, above = far_right - right;
    const N third = Real(1. / 3) * here;
    const auto limited = [&](N lower, N upper, N behind) {
      return minmod<N>(lower, upper, multiply_add<N>(N(Real(1. / 6)), behind, third));
    };
    return {left + limited(below, here, below), right - limited(here, above, above)};
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
    return {{density.left, {{x.left, y.left, z.left}}, perturbation.left},
            {density.right, {{x.right, y.right, z.right}}, perturbation.right}};
  }

  /// Outer waves as fast as the faster side (Davis 1988) with the greater speed of sound of both cells, and
  /// of the side that the contact leaves behind F* = F + S (U* - U), with U* between that side's wave S and
  /// the contact (Toro, Spruce & Speares 1994). A wave that would leave to the other side rests at the face:
  /// F* is F then. The contact goes by the perturbations, so that one at rest carries nothing, to the last
  /// bit.
  template <int axis, class N>
  static TAYRA_HD State<N> hllc(const FaceState<N>& l, const FaceState<N>& r, N sound, N background,
                                const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N ul = l.velocity[axis], ur = r.velocity[axis];
    const N slowest = negative_part<N>(smaller<N>(ul, ur) - sound);
    const N fastest = positive_part<N>(larger<N>(ul, ur) + sound);
    const N gap_left = slowest - ul, gap_right = fastest - ur;
    const N met_left = l.density * gap_left, met_right = r.density * gap_right;
    // The contact's speed is a quotient of two sums over both waves.
    const N force = (r.perturbation - l.perturbation) + (met_left * ul - met_right * ur);
    const N inertia = met_left - met_right;  // below zero

    const MaskOf<N> from_right = force > Real(0);
    const FaceState<N> s = select_side<N>(from_right, r, l);
    const N wave = select<N>(from_right, fastest, slowest);
    const N gap = select<N>(from_right, gap_right, gap_left);
    const N met = select<N>(from_right, met_right, met_left);
    const N u = s.velocity[axis];
    const Reciprocals<N> over = reciprocals<N>(multiply_add<N>(wave, inertia, -force), inertia);
    const N share = force * over.first;       // the contact's speed over its distance from the wave
    const N drift = force * over.second - u;  // the contact's speed, as the side sees it
    const N mass = met * share;
    const N heat = gas.enthalpy_of_pressure * (s.perturbation + background) * (gap * share);
    const N kinetic = multiply_add<N>(wave, drift, Real(0.5) * dot(s.velocity, s.velocity));
    State<N> flux{mass, mass * s.velocity, multiply_add<N>(mass, kinetic, heat)};
    flux.momentum[axis] = s.perturbation + multiply_add<N>(wave, mass, -(met * u));
    return flux;
  }

  /// But for its density.
  template <class N>
  static TAYRA_HD FaceState<N> select_side(MaskOf<N> which, const FaceState<N>& yes, const FaceState<N>& no) {
    FaceState<N> chosen{};
    for (int i = 0; i < 3; ++i) chosen.velocity[i] = select<N>(which, yes.velocity[i], no.velocity[i]);
    chosen.perturbation = select<N>(which, yes.perturbation, no.perturbation);
    return chosen;
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const Sides<FaceState<N>> face = sides(s);
    return hllc<axis>(face.left, face.right, larger<N>(s.left.sound_speed, s.right.sound_speed),
                      face_background(s), gas);
  }
};

}  // namespace tayra
