// Text that is a number as a whole.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace tayra {

/// Nothing where any of the text is left over, or the number is beyond its type.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  const char* end = text.data() + text.size();
  Number number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

}  // namespace tayra
