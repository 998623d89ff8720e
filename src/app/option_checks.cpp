// Checks of an option's text, before it is turned into a number.
#include "app/option_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace tayra {
namespace {

/// The number that the text is as a whole.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  const char* end = text.data() + text.size();
  Number number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

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
