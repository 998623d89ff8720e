// The list of profiles as data.
#include "solver/profiles.hpp"

namespace tayra {

const std::vector<ProfileFacts>& profile_facts() {
  static const auto facts = [] {
    std::vector<ProfileFacts> all;
    for_each_profile([&]<class Profile>(int) {
      all.push_back({Profile::name, Profile::units, Profile::meaning, Profile::is_of_layers});
    });
    return all;
  }();
  return facts;
}

}  // namespace tayra
