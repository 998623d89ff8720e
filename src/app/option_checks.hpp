// What numbers an option takes, in words that say so when it is given another.
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

CLI::Validator whole_number_from(int least);
CLI::Validator number_above_zero();

}  // namespace tayra
