// upwind3: third-order upwind-biased local Lax-Friedrichs splitting, linear, one scalar speed for all waves.
#pragma once

#include "physics/scheme.hpp"

namespace tayra {

struct Upwind3 {
  static constexpr const char* name = "upwind3";
  static constexpr CellForm form = CellForm::conserved;
  static constexpr bool uses_enthalpy = false;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_inverse_sound_speed = false;
  static constexpr bool uses_inverse_root_density = false;
  static constexpr int flux_multiple = 12;

  static constexpr SchemeTraits traits{
      .summary = "a reference for speed: every wave is damped by the fastest one",
      .order = 3,
      .growth_error = 0.06,
      .keeps_contacts = false,
      .keeps_crests = false,
      .captures_shocks = false,
      .wants_limiter = true,
  };

  /// 7 F + 3 a U of the cell at the face, less F + a U of the one behind it. With F = u (U + pressure's
  /// parts) both speeds of a cell are summed before they multiply anything.
  template <int axis, class N>
  static TAYRA_HD State<N> one_side(const Cell<N>& far, const Cell<N>& near, N a, const Gas<RealOf<N>>& gas) {
    using Real = RealOf<N>;
    const N far_flow = far.velocity[axis], near_flow = Real(7) * near.velocity[axis];
    const N far_speed = far_flow + a, near_speed = multiply_add<N>(Real(3), a, near_flow);
    State<N> side = multiply_add(-far_speed, far.state, near_speed * near.state);
    side.momentum[axis] = side.momentum[axis] + multiply_add<N>(Real(7), near.pressure, -far.pressure);
    side.energy = multiply_add<N>(near_flow, enthalpy_from_pressure(near, gas),
                                  multiply_add<N>(-far_flow, enthalpy_from_pressure(far, gas), side.energy));
    return side;
  }

  /// 12 times (-F(i-1) + 7 F(i) + 7 F(i+1) - F(i+2)) / 12 + alpha (U(i+2) - 3 U(i+1) + 3 U(i) - U(i-1)) / 12.
  /// Both sides are rounded alike, so that a mirror image keeps its bits.
  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
    const N alpha = face_speed<axis>(s);
    return one_side<axis>(s.far_left, s.left, alpha, gas) + one_side<axis>(s.far_right, s.right, -alpha, gas);
  }
};

}  // namespace tayra
