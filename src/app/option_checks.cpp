// Checks of an option's text, before it is turned into a number.
#include "app/option_checks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>

namespace tayra {
namespace {

template <class Number>
bool is_number(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

}  // namespace

CLI::Validator whole_number_from(int least) {
  const auto complaint = [least](const std::string& text) {
    int number = 0;
    if (is_number(text, number) && number >= least) return std::string();
    return fmt::format("found {}, expected a whole number from {} up", text, least);
  };
  return CLI::Validator(complaint, "");
}

CLI::Validator number_above_zero() {
  const auto complaint = [](const std::string& text) {
    double number = 0;
    if (is_number(text, number) && number > 0 && std::isfinite(number)) return std::string();
    return fmt::format("found {}, expected a number above 0", text);
  };
  return CLI::Validator(complaint, "");
}

}  // namespace tayra
