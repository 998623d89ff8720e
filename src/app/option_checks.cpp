// Checks of an option's text, before it is turned into a number.
#include "app/option_checks.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/number_in.hpp"

namespace tayra {

CLI::Validator whole_number_from(int least) {
  const auto complaint = [least](const std::string& text) {
    const auto number = number_in<int>(text);
    if (number && *number >= least && !begins_with_zero(text)) return std::string();
    return fmt::format("found {}, expected a whole number from {} to {}", text, least,
                       std::numeric_limits<int>::max());
  };
  return CLI::Validator(complaint, "");
}

}  // namespace tayra
