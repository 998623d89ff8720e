// A run from its config to its end.
#pragma once

#include "app/options.hpp"

namespace tayra {

void run_config(const RunOptions& options);

}  // namespace tayra
