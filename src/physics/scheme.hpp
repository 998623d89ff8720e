// What a scheme must have, and what it says of itself.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>

#include "physics/gas.hpp"

namespace tayra {

/// What tests, validation, documents and the GPU's tiles need to know of a scheme besides its flux. Tests and
/// validation hold a scheme to what it says here, and `tayra info --json` repeats it.
struct SchemeTraits {
  const char* summary;   // what to take it for, in README.md
  int order;             // with which errors fall on smooth flow
  double growth_error;   // at most, of the growth rate of a Rayleigh-Taylor wave on 32 cells, as a share
  bool keeps_contacts;   // densities that jump at rest stay as they are
  bool keeps_crests;     // a smooth bubble keeps its single crest
  bool captures_shocks;  // sharp ones, without ringing, by limiting some cells and not others
  bool wants_limiter;    // violent flow that has no background would break without the positivity limiter

  // Flaws and costs that most schemes don't have.
  double lacks_of_order = 0;     // where few cells make up a wave
  bool lets_sound_grow = false;  // in columns at rest, where density jumps (docs/decisions/0015)
  bool fills_registers = false;  // so that its GPU sweep has no room for two rows of cells a thread in double
};

template <class S, class N>
concept HasFluxOf = requires(const Stencil<N>& s, const Gas<RealOf<N>>& gas) {
  { S::template flux<0>(s, gas) } -> std::same_as<State<N>>;
};

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

/// The numbers say what of a cell it reads, and how many times too large its fluxes are.
template <class S>
concept Scheme = requires {
  { S::name } -> std::convertible_to<const char*>;
  typename std::integral_constant<CellForm, S::form>;
  typename std::bool_constant<S::uses_enthalpy>;
  typename std::bool_constant<S::uses_sound_speed>;
  typename std::bool_constant<S::uses_inverse_sound_speed>;
  typename std::bool_constant<S::uses_inverse_root_density>;
  typename std::integral_constant<int, S::flux_multiple>;
  { S::traits } -> std::same_as<const SchemeTraits&>;
  requires S::traits.summary[0] != 0 && S::traits.order > 0 && S::traits.growth_error > 0;
  requires HasFluxOf<S, double> && HasFluxOf<S, float>;
  requires !FindsBothFaces<S> || HasFluxBetweenFaces<S>;
};

/// One by one, so that the compiler names what a scheme lacks.
template <Scheme S>
struct Listed {
  using Itself = S;
};
template <class... S>
using ListOf = std::tuple<typename Listed<S>::Itself...>;

}  // namespace tayra
