// roe3: upwind3's central flux with third differences that each wave damps by its own speed.
#pragma once

#include "physics/scheme.hpp"

namespace tayra {

struct Roe3 {
  static constexpr const char* name = "roe3";
  static constexpr CellForm form = CellForm::primitive;
  static constexpr bool uses_enthalpy = true;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = true;
  static constexpr bool uses_inverse_root_density = false;
  static constexpr int flux_multiple = 12;

  static constexpr SchemeTraits traits{
      .summary =
          "smooth starts and growth rates: the most accurate there; rings at shocks and where "
          "interfaces mix",
      .order = 3,
      .growth_error = 0.008,
      .keeps_contacts = true,
      .keeps_crests = false,
      .captures_shocks = false,
      .wants_limiter = true,
  };

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

  /// The gas about which waves are taken, a face's own: roots and divisions are made once a cell.
  template <class N>
  struct FaceGas {
    N density;
    N sound_speed;
    N inverse_sound_speed;
    N mass_of_sound;         // as inverse_sound_speed, with the density of both cells
    Vector<N> velocity_sum;  // of both cells
  };

  /// The lesser density and the greater sound speed, moving with both cells. For third differences any gas
  /// will do that is near both where flow is smooth; at a contact this is the lighter side's, which
  /// damps no velocity harder than its own gas would (docs/decisions/0005).
  template <class N>
  static TAYRA_HD FaceGas<N> face_gas(const Cell<N>& left, const Cell<N>& right) {
    using Real = RealOf<N>;
    const N c = larger<N>(left.sound_speed, right.sound_speed);
    const N inverse_c = smaller<N>(left.inverse_sound_speed, right.inverse_sound_speed);
    // At one pressure densities go as squares of this.
    const N inverse_slow = larger<N>(left.inverse_sound_speed, right.inverse_sound_speed);
    return {smaller<N>(left.state.density, right.state.density), c, inverse_c,
            Real(0.5) * multiply_add<N>(c * inverse_slow, inverse_slow, inverse_c),
            left.velocity + right.velocity};
  }

  /// What |A| d moves, 12 times.
  template <class N>
  struct Damping {
    N mass;
    N sound;             // pressure that both acoustic waves move, over c
    Vector<N> momentum;  // besides that of the mass
  };

  /// Both acoustic waves summed: |u + c| + |u - c| = 2 max(|u|, c), and |u + c| - |u - c| is twice u held
  /// between -c and c.
  template <int axis, class N>
  static TAYRA_HD Damping<N> damping(const Differences<N>& d, const FaceGas<N>& face) {
    using Real = RealOf<N>;
    const N u = Real(0.5) * face.velocity_sum[axis];
    const N c = face.sound_speed;
    const N speed = absolute<N>(u);
    const N push = larger<N>(speed, c);
    const N drift = times_sign<N>(smaller<N>(c, speed), u);
    const N pressure = d.pressure * face.inverse_sound_speed;
    const N momentum = face.density * d.velocity[axis];
    const N sound = multiply_add<N>(push, pressure, drift * momentum);
    const N density_wave = multiply_add<N>(-pressure, face.inverse_sound_speed, d.density);
    Vector<N> pushed = (speed * face.density) * d.velocity;
    pushed[axis] = multiply_add<N>(drift, pressure, push * momentum);
    return {multiply_add<N>(sound, face.mass_of_sound, speed * density_wave), sound, pushed};
  }

  /// 7 F of the cell at the face, less F of the one behind it: of both sides the central flux, 12 times
  /// (-F(i-1) + 7 F(i) + 7 F(i+1) - F(i+2)) / 12. Both are rounded alike, so that a mirror image keeps its
  /// bits.
  template <int axis, class N>
  static TAYRA_HD State<N> one_side(const Cell<N>& far, const Cell<N>& near) {
    using Real = RealOf<N>;
    const N far_speed = far.velocity[axis], near_speed = Real(7) * near.velocity[axis];
    const N far_mass = far.state.density * far_speed, near_mass = near.state.density * near_speed;
    State<N> side{near_mass - far_mass, multiply_add(-far_mass, far.velocity, near_mass * near.velocity),
                  multiply_add<N>(-far_speed, far.enthalpy, near_speed * near.enthalpy)};
    side.momentum[axis] = multiply_add<N>(
        near_mass, near.velocity[axis],
        multiply_add<N>(-far_mass, far_speed, multiply_add<N>(Real(7), near.pressure, -far.pressure)));
    return side;
  }

  /// 12 times the mass that the volume flux through the face carries, plus `damped`. The central flux lets
  /// mass through where no volume goes, if velocity is uneven beside a jump of density
  /// (docs/decisions/0015). Both are of fourth order: here means are multiplied, less what the mean of a
  /// product differs by.
  template <int axis, class N>
  static TAYRA_HD N mass_with_volume(const Stencil<N>& s, N damped) {
    using Real = RealOf<N>;
    const auto twelve_means = [](N far_left, N left, N right, N far_right) {
      return multiply_add<N>(N(Real(7)), left + right, -(far_left + far_right));
    };
    const N density = twelve_means(s.far_left.state.density, s.left.state.density, s.right.state.density,
                                   s.far_right.state.density);
    const N volume = twelve_means(s.far_left.velocity[axis], s.left.velocity[axis], s.right.velocity[axis],
                                  s.far_right.velocity[axis]);
    // The velocity's slope as the outer cells have it: those beside the jump are the uneven ones.
    const N slopes = Real(4) * (s.right.state.density - s.left.state.density) *
                     (s.far_right.velocity[axis] - s.far_left.velocity[axis]);
    return multiply_add<N>(N(Real(1. / 12)), multiply_add<N>(density, volume, -slopes), damped);
  }

  /// The central flux plus damping, with `mass` as the whole mass flux: what this exceeds the central one by
  /// moves with the mean velocity.
  template <class N>
  static TAYRA_HD State<N> together(const State<N>& central, N mass, const Damping<N>& damped,
                                    const FaceGas<N>& face, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N quarter_mass = Real(0.25) * (mass - central.density);
    const Vector<N> half_moved = multiply_add(quarter_mass, face.velocity_sum, damped.momentum);
    const N heat =
        multiply_add<N>(gas.inverse_gamma_minus_1 * face.sound_speed, damped.sound, central.energy);
    return {mass, central.momentum + multiply_add(quarter_mass, face.velocity_sum, half_moved),
            multiply_add<N>(Real(0.5), dot(face.velocity_sum, half_moved), heat)};
  }

  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const FaceGas<N> face = face_gas(s.left, s.right);
    const Damping<N> damped = damping<axis>(third_differences(s), face);
    const N mass = mass_with_volume<axis>(s, damped.mass);
    return together(one_side<axis>(s.far_left, s.left) + one_side<axis>(s.far_right, s.right), mass, damped,
                    face, gas);
  }
};

}  // namespace tayra
