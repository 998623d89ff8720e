// What a table of single keys can't see: values that are impossible together.
#pragma once

#include "io/config.hpp"

namespace tayra {

/// Throws Error(bad_input) that says why the values can't go together.
void check_together(const Config& config);

}  // namespace tayra
