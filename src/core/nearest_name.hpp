// "Did you mean …?": the known name that a misspelt one most likely stands for.
#pragma once

#include <string>
#include <vector>

namespace tayra {

/// The candidate nearest to `name` by edit distance, or the one that `name` begins; empty when none is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// "did you mean 'scheme'? " or nothing, to be put before the list of what is allowed.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace tayra
