// The list of schemes: a new one is its header and its name here (docs/extending.md).
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "physics/scheme.hpp"
#include "physics/schemes/muscl.hpp"
#include "physics/schemes/roe3.hpp"
#include "physics/schemes/upwind3.hpp"
#include "physics/schemes/weno3.hpp"

namespace tayra {

/// CMake reads this line, too: it makes the sources of each scheme's sweeps (cmake/schemes.cmake).
using Schemes = ListOf<Upwind3, Roe3, Weno3, Muscl>;
inline constexpr int scheme_count = std::tuple_size_v<Schemes>;

/// Calls act.template operator()<Scheme>() of the scheme with this place in the list.
template <class Act>
void with_scheme(int number, const Act& act) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((static_cast<int>(I) == number ? act.template operator()<std::tuple_element_t<I, Schemes>>() : void()),
     ...);
  }
  (std::make_index_sequence<scheme_count>());
}

/// How many times too large the fluxes of the scheme with this place in the list are.
inline int flux_multiple_of(int number) {
  int multiple = 1;
  with_scheme(number, [&]<class Scheme>() { multiple = Scheme::flux_multiple; });
  return multiple;
}

/// For whoever needs no flux.
struct NamedScheme {
  std::string name;
  SchemeTraits traits;
};
inline const std::vector<NamedScheme>& all_schemes() {
  static const auto all = std::apply(
      [](auto... scheme) {
        return std::vector<NamedScheme>{{scheme.name, scheme.traits}...};
      },
      Schemes());
  return all;
}

}  // namespace tayra
