// What a scheme must have, checked where schemes are listed: the compiler names what is missing once, there,
// and not in every sweep.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include "physics/gas.hpp"
#include "physics/scheme_traits.hpp"

namespace tayra {

template <class S>
concept HasName = requires {
  { S::name } -> std::convertible_to<const char*>;
};

/// Of a cell; and how many times too large its fluxes are.
template <class S>
concept SaysWhatItReads = requires {
  typename std::integral_constant<CellForm, S::form>;
  typename std::bool_constant<S::uses_enthalpy>;
  typename std::bool_constant<S::uses_sound_speed>;
  typename std::bool_constant<S::uses_inverse_sound_speed>;
  typename std::bool_constant<S::uses_inverse_root_density>;
  typename std::integral_constant<int, S::flux_multiple>;
};

constexpr bool is_complete(const SchemeTraits& traits) {
  return traits.summary != nullptr && *traits.summary != 0 && traits.order > 0 && traits.growth_error > 0;
}
template <class S>
concept HasTraits = requires {
  { S::traits } -> std::same_as<const SchemeTraits&>;
  typename std::enable_if_t<is_complete(S::traits)>;
};

template <class S, class N>
concept HasFluxOf = requires(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  { S::template flux<0>(s, gas) } -> std::same_as<State<N>>;
};
template <class S>
concept HasFlux = HasFluxOf<S, double> && HasFluxOf<S, float>;

/// A scheme may compute a cell's values at both of its faces along an axis together, if that costs less than
/// one by one: then it has at_faces(before, cell, after), whose `lower` and `upper` are of its type AtFace,
/// and flux_between<axis>.
template <class S>
concept FindsBothFaces = requires(const Cell<double>& cell) {
  S::at_faces(cell, cell, cell);
};
template <class S>
concept HasFluxBetweenFaces = requires(const Cell<double>& cell,
                                       const typename S::template AtFace<double>& at,
                                       const Gas<double>& gas) {
  { S::at_faces(cell, cell, cell).lower } -> std::convertible_to<typename S::template AtFace<double>>;
  { S::at_faces(cell, cell, cell).upper } -> std::convertible_to<typename S::template AtFace<double>>;
  { S::template flux_between<0>(cell, at, cell, at, gas) } -> std::same_as<State<double>>;
};

template <class S>
concept Scheme = HasName<S> && SaysWhatItReads<S> && HasTraits<S> && HasFlux<S> &&
    (!FindsBothFaces<S> || HasFluxBetweenFaces<S>);

/// If S is no scheme, the tuple is empty; else every use of the list would give errors, too.
template <class S>
struct Listed {
  static_assert(HasName<S>, "a scheme lacks: static constexpr const char* name");
  static_assert(SaysWhatItReads<S>,
                "a scheme lacks one of these, static constexpr: CellForm form; bool uses_enthalpy, "
                "uses_sound_speed, uses_inverse_sound_speed, uses_inverse_root_density; int flux_multiple");
  static_assert(HasTraits<S>,
                "a scheme lacks: static constexpr SchemeTraits traits, with a summary, an order and a "
                "growth_error above zero (physics/scheme_traits.hpp)");
  static_assert(HasFlux<S>,
                "a scheme lacks: template <int axis, class N> static TAYRA_HD State<N> flux(const "
                "Stencil<N>&, const Gas<RealOf<N>>&)");
  static_assert(
      !FindsBothFaces<S> || HasFluxBetweenFaces<S>,
      "a scheme with at_faces lacks its lower and upper, AtFace<N>, or: template <int axis, class N> "
      "static TAYRA_HD State<N> flux_between(const Cell<N>& left, const AtFace<N>&, const Cell<N>& "
      "right, const AtFace<N>&, const Gas<RealOf<N>>&)");
  using AsTuple = std::conditional_t<Scheme<S>, std::tuple<S>, std::tuple<>>;
};

template <class... S>
using ListOf = decltype(std::tuple_cat(typename Listed<S>::AsTuple()...));

}  // namespace tayra
