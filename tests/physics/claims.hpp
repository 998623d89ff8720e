// What schemes say of themselves, by name: where they differ, tests ask for what a scheme claims.
#pragma once

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "physics/schemes.hpp"

namespace tayra::testing {

struct Claims {
  std::string name;
  int order;
  bool keeps_contacts;
  bool wants_limiter;
};

/// In the order of the list.
inline const std::vector<Claims>& all_claims() {
  static const auto claims = std::apply(
      [](auto... s) {
        return std::vector<Claims>{{s.name, s.order, s.keeps_contacts, s.wants_limiter}...};
      },
      Schemes());
  return claims;
}

inline const Claims& claims_of(const std::string& scheme) {
  for (const Claims& claims : all_claims())
    if (claims.name == scheme) return claims;
  throw std::logic_error("there is no scheme " + scheme);
}

}  // namespace tayra::testing
