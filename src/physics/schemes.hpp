// The schemes. Adding one: a header with a flux of four cells, and its name in the list below. A scheme may
// return a multiple of its flux, so that the update divides once for all faces of a cell.
#pragma once

#include <tuple>

#include "physics/positivity.hpp"
#include "physics/schemes/muscl.hpp"
#include "physics/schemes/roe3.hpp"
#include "physics/schemes/upwind3.hpp"
#include "physics/schemes/weno3.hpp"

namespace tayra {

using Schemes = std::tuple<Upwind3, Roe3, Weno3, Muscl>;
inline constexpr int scheme_count = std::tuple_size_v<Schemes>;

enum class Positivity { off, on };

template <class N>
struct FaceFlux {
  State<N> flux;      // times Scheme::flux_multiple
  MaskOf<N> suspect;  // the positivity limiter has to act, or has acted
};

/// The scheme's flux through a face, not limited yet.
template <class Scheme, Positivity positivity, int axis, class N>
TAYRA_HD FaceFlux<N> unlimited_flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  const State<N> flux = Scheme::template flux<axis>(s, gas);
  if constexpr (positivity == Positivity::on)
    return {flux, needs_limiting<axis, Scheme::flux_multiple, Scheme::form>(flux, s.left, s.right, gas)};
  else
    return {flux, MaskOf<N>(false)};
}

/// The numerical flux through a face.
template <class Scheme, Positivity positivity, int axis, class N>
TAYRA_HD FaceFlux<N> face_flux(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  const FaceFlux<N> face = unlimited_flux<Scheme, positivity, axis>(s, gas);
  if constexpr (positivity == Positivity::on)
    if (NumberTraits<N>::any(face.suspect))
      return {select(face.suspect, blended_flux<axis, Scheme::flux_multiple>(face.flux, s.left, s.right, gas),
                     face.flux),
              face.suspect};
  return face;
}

}  // namespace tayra
