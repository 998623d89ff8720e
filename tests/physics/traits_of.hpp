// What a scheme says of itself, by its name.
#pragma once

#include <stdexcept>
#include <string>

#include "physics/schemes.hpp"

namespace tayra::testing {

inline const SchemeTraits& traits_of(const std::string& scheme) {
  for (const NamedScheme& one : all_schemes())
    if (one.name == scheme) return one.traits;
  throw std::logic_error("there is no scheme " + scheme);
}

}  // namespace tayra::testing
