// Checks of an option's text, before it is turned into a number.
#include "app/option_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/number_in.hpp"

namespace tayra {
namespace {

/// CLI11 would read it to base eight.
bool begins_with_zero(const std::string& text) { return text.size() > 1 && text.front() == '0'; }

}  // namespace

CLI::Validator whole_number_from(int least) {
  const auto complaint = [least](const std::string& text) {
    const auto number = number_in<int>(text);
    if (number && *number >= least && !begins_with_zero(text)) return std::string();
    return fmt::format("found {}, expected a whole number from {} to {}", text, least,
                       std::numeric_limits<int>::max());
  };
  return CLI::Validator(complaint, "");
}

CLI::Validator number_above_zero() {
  const auto complaint = [](const std::string& text) {
    const auto number = number_in<double>(text);
    if (number && *number > 0 && std::isfinite(*number)) return std::string();
    return fmt::format("found {}, expected a number above 0", text);
  };
  return CLI::Validator(complaint, "");
}

}  // namespace tayra
