// What two configs disagree on, as far as the flow is concerned.
#pragma once

#include <string>
#include <vector>

namespace tayra {

/// "numerics.cfl is 0.6 there, 0.5 here" for every key that differs between two resolved configs. How long a
/// run goes, on what, and what it writes (the sections run and output) may differ.
std::vector<std::string> differing_keys(const std::string& there, const std::string& here);

}  // namespace tayra
