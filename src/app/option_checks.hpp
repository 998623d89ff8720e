// What numbers an option takes, in words that say so when it is given another.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tayra {

CLI::Validator whole_number_from(int least);

/// CLI11 would read it to base eight.
inline bool begins_with_zero(const std::string& text) { return text.size() > 1 && text.front() == '0'; }

}  // namespace tayra
