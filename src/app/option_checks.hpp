// What numbers an option takes, in words that say so when it is given another.
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

CLI::Validator whole_number_from(int least);
CLI::Validator number_above_zero();
/// Turns "64k", "16M" or "1 KiB" into bytes.
CLI::Validator size_in_bytes();

}  // namespace tayra
