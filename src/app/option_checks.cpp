// Checks of an option's text, before it is turned into a number.
#include "app/option_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
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

CLI::Validator size_in_bytes() {
  constexpr bool kb_is_1000 = false;
  constexpr std::uint64_t least = 8, most = std::uint64_t(1) << 40;
  const auto convert = [](std::string& text) {
    const std::string given = text;
    if (begins_with_zero(text)) text.clear();
    try {
      CLI::AsSizeValue{kb_is_1000}(text);
    } catch (const CLI::ValidationError&) {
      text.clear();
    }
    const auto bytes = number_in<std::uint64_t>(text);
    if (bytes && *bytes >= least && *bytes <= most) return std::string();
    return fmt::format("found {}, expected a size from 8 bytes to 1T, for example 64k or 16M", given);
  };
  return CLI::Validator(convert, "");
}

}  // namespace tayra
