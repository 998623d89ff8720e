// The flux of a scheme through a face, and whether the positivity limiter has to act there.
#pragma once

#include "physics/positivity.hpp"
#include "physics/scheme.hpp"

namespace tayra {

enum class Positivity { off, on };

template <class N>
struct FaceFlux {
  State<N> flux;      // times Scheme::flux_multiple
  MaskOf<N> flagged;  // the positivity limiter has to act, or has acted
};

/// A scheme's flux through a face as it is given, and whether the limiter has to act there.
template <class Scheme, Positivity positivity, int axis, class N>
TAYRA_HD FaceFlux<N> flux_with_check(const State<N>& flux, const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  if constexpr (positivity == Positivity::on)
    return {flux, needs_limiting<axis, Scheme::flux_multiple, Scheme::form>(flux, s.left, s.right, gas)};
  else
    return {flux, MaskOf<N>(false)};
}

/// The scheme's flux through a face, not limited yet.
template <class Scheme, Positivity positivity, int axis, class N>
TAYRA_HD FaceFlux<N> unlimited_flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  return flux_with_check<Scheme, positivity, axis>(Scheme::template flux<axis>(s, gas), s, gas);
}

/// What a cell hands on from its lower face to its upper one.
template <class Scheme, class N>
struct HandedOn {};
template <FindsBothFaces Scheme, class N>
struct HandedOn<Scheme, N> {
  typename Scheme::template AtFace<N> at_upper;
};
template <class Scheme, class N>
TAYRA_HD HandedOn<Scheme, N> handed_on(const Cell<N>& before, const Cell<N>& here, const Cell<N>& after) {
  if constexpr (FindsBothFaces<Scheme>)
    return {Scheme::at_faces(before, here, after).upper};
  else
    return {};
}
/// The scheme's flux; `handed` comes from the left cell, and then is what the right one hands on.
template <class Scheme, int axis, class N>
TAYRA_HD State<N> next_flux(const Stencil<N>& s, HandedOn<Scheme, N>& handed, const Gas<RealOf<N>>& gas) {
  if constexpr (FindsBothFaces<Scheme>) {
    const auto right = Scheme::at_faces(s.left, s.right, s.far_right);
    const State<N> flux =
        Scheme::template flux_between<axis>(s.left, handed.at_upper, s.right, right.lower, gas);
    handed = {right.upper};
    return flux;
  } else {
    return Scheme::template flux<axis>(s, gas);
  }
}

/// The numerical flux through a face.
template <class Scheme, Positivity positivity, int axis, class N>
TAYRA_HD FaceFlux<N> face_flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  const FaceFlux<N> face = unlimited_flux<Scheme, positivity, axis>(s, gas);
  if constexpr (positivity == Positivity::on)
    if (NumberTraits<N>::any(face.flagged))
      return {select(face.flagged, blended_flux<axis, Scheme::flux_multiple>(face.flux, s.left, s.right, gas),
                     face.flux),
              face.flagged};
  return face;
}

}  // namespace tayra
