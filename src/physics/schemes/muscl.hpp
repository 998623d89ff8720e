// muscl: primitive variables on parabolas, limited but at smooth crests; HLLC in perturbation form.
#pragma once

#include "physics/scheme.hpp"

namespace tayra {

struct Muscl {
  static constexpr const char* name = "muscl";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_enthalpy = false;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = false;
  static constexpr bool uses_inverse_root_density = false;
  static constexpr int flux_multiple = 1;

  static constexpr SchemeTraits traits{
      .summary =
          "the default, for all of a mixing layer's life: keeps smooth crests, sharp interfaces and "
          "shocks without ringing",
      .order = 2,
      .growth_error = 0.01,
      .keeps_contacts = true,
      .keeps_crests = true,
      .captures_shocks = true,
      .wants_limiter = true,
  };

  /// What a cell is at one of its faces.
  template <class N>
  struct AtFace {
    N density;
    Vector<N> velocity;
    N perturbation;  // the pressure less the background's
  };
  /// Along an axis.
  template <class N>
  struct AtFaces {
    AtFace<N> lower, upper;
  };

  /// Differences of density to both neighbours below this share of it are smooth. Three cells can't tell a
  /// smooth crest from the foot of a jump but by its size (docs/decisions/0016).
  static constexpr double smooth_share = 0.03;

  template <class N>
  static TAYRA_HD MaskOf<N> is_smooth(N before, N here, N after) {
    const N smooth = RealOf<N>(smooth_share) * here;
    return absolute<N>(here - before) < smooth && absolute<N>(after - here) < smooth;
  }

  /// A cell's value carried to its two faces: along the parabola through three cells, but where the cell is
  /// not smooth no further than either jump to a neighbour (Koren's limiter). Six times the steps are
  /// limited.
  template <class N>
  static TAYRA_HD void carry(N before, N here, N after, MaskOf<N> smooth, N& to_lower, N& to_upper) {
    using Real = RealOf<N>;
    const N below = here - before, above = after - here;
    const Minmod<N> least = Minmod<N>::of(below, above, 6, smooth);
    const N sixth = N(Real(1. / 6)), two = N(Real(2));
    to_lower = multiply_add<N>(-sixth, least.or_nearer(multiply_add<N>(two, below, above)), here);
    to_upper = multiply_add<N>(sixth, least.or_nearer(multiply_add<N>(two, above, below)), here);
  }

  template <class N>
  static TAYRA_HD AtFaces<N> at_faces(const Cell<N>& before, const Cell<N>& here, const Cell<N>& after) {
    const MaskOf<N> smooth = is_smooth<N>(before.state.density, here.state.density, after.state.density);
    AtFaces<N> at{};
    carry<N>(before.state.density, here.state.density, after.state.density, smooth, at.lower.density,
             at.upper.density);
    for (int i = 0; i < 3; ++i)
      carry<N>(before.velocity[i], here.velocity[i], after.velocity[i], smooth, at.lower.velocity[i],
               at.upper.velocity[i]);
    carry<N>(before.pressure, here.pressure, after.pressure, smooth, at.lower.perturbation,
             at.upper.perturbation);
    return at;
  }

  /// Outer waves as fast as the faster side (Davis 1988) with the greater speed of sound of both cells: ul -
  /// gap and ur + gap. Of the side that the contact leaves behind F* = F + S (U* - U), with U* between that
  /// side's wave S and the contact (Toro, Spruce & Speares 1994), here as seen by a side from which the
  /// contact moves over the face (its gas may not). A wave that would leave to the other side rests at the
  /// face: F* is F then. The contact goes by the perturbations, so that one at rest carries nothing, to the
  /// last bit.
  template <int axis, class N>
  static TAYRA_HD State<N> hllc(const AtFace<N>& l, const AtFace<N>& r, N sound, N background,
                                const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N ul = l.velocity[axis], ur = r.velocity[axis];
    const N gap = sound + positive_part<N>(ul - ur);
    // The contact's speed is their quotient.
    const N force = multiply_add<N>(gap, l.density * ul + r.density * ur, l.perturbation - r.perturbation);
    const N inertia = gap * (l.density + r.density);

    const AtFace<N> s = select_side<N>(force < Real(0), r, l);
    const N push = absolute<N>(force);
    const N u = times_sign<N>(s.velocity[axis], force);
    const N wave = positive_part<N>(gap - u);  // away from the face, as the gas moves towards it
    const N distance = wave + u;               // from the gas
    const Reciprocals<N> over = reciprocals<N>(multiply_add<N>(wave, inertia, push), inertia);
    const N share = push * over.first;       // the contact's speed over its distance from the wave
    const N drift = u - push * over.second;  // the gas's speed, as the contact sees it
    const N met = s.density * distance;
    const N crossing = met * share;
    const N mass = times_sign<N>(crossing, force);
    const N kinetic = multiply_add<N>(wave, drift, Real(0.5) * dot(s.velocity, s.velocity));
    const N heat =
        gas.gamma_over_gamma_minus_1 * (s.perturbation + background) * times_sign<N>(distance * share, force);
    State<N> flux{mass, mass * s.velocity, multiply_add<N>(mass, kinetic, heat)};
    flux.momentum[axis] = s.perturbation + multiply_add<N>(-wave, crossing, met * u);
    return flux;
  }

  template <class N>
  static TAYRA_HD AtFace<N> select_side(MaskOf<N> which, const AtFace<N>& yes, const AtFace<N>& no) {
    AtFace<N> chosen{};
    chosen.density = select<N>(which, yes.density, no.density);
    for (int i = 0; i < 3; ++i) chosen.velocity[i] = select<N>(which, yes.velocity[i], no.velocity[i]);
    chosen.perturbation = select<N>(which, yes.perturbation, no.perturbation);
    return chosen;
  }

  /// Through the face between two cells.
  template <int axis, class N>
  static TAYRA_HD State<N> flux_between(const Cell<N>& left, const AtFace<N>& of_left, const Cell<N>& right,
                                        const AtFace<N>& of_right, const Gas<RealOf<N>>& gas) {
    return hllc<axis>(of_left, of_right, larger<N>(left.sound_speed, right.sound_speed),
                      face_background(left, right), gas);
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    return flux_between<axis>(s.left, at_faces(s.far_left, s.left, s.right).upper, s.right,
                              at_faces(s.left, s.right, s.far_right).lower, gas);
  }
};

}  // namespace tayra
