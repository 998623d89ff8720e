// upwind3: third-order upwind-biased local Lax-Friedrichs splitting, linear, one scalar speed for all waves.
#pragma once

#include "physics/gas.hpp"

namespace tayra {

struct Upwind3 {
  static constexpr const char* name = "upwind3";
  static constexpr CellForm form = CellForm::conserved;
  static constexpr bool uses_sound_speed = true;
  static constexpr bool uses_root_density = false;

  /// (-F(i-1) + 7 F(i) + 7 F(i+1) - F(i+2)) / 12 + alpha (U(i+2) - 3 U(i+1) + 3 U(i) - U(i-1)) / 12
  template <int axis, class N>
  static TAYRA_HD State<N> flux(const Stencil<N>& s, const Gas<RealOf<N>>&) {
    const N alpha = face_speed<axis>(s);
    const State<N> difference =
        third_difference<N>(s.far_left.state, s.left.state, s.right.state, s.far_right.state);
    return RealOf<N>(1. / 12) * multiply_add(alpha, difference, twelve_central_fluxes<axis, form>(s));
  }
};

}  // namespace tayra
