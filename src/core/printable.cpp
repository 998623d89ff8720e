// UTF-8 taken apart, and put together again without what a terminal would obey.
#include "core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tayra {
namespace {

/// Of the character with which a text begins.
struct Character {
  std::size_t length;  // bytes; 0 where no UTF-8 begins
  unsigned code;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const unsigned first = byte(0), second = byte(1);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first < 0xE0  ? 2
                             : first >= 0xE0 && first < 0xF0  ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  unsigned code = length < 2 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool too_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool no_character = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return too_long || no_character ? Character{0, 0} : Character{length, code};
}

/// Unicode's control and format characters, and its line breaks.
bool is_control(unsigned code) {
  struct Span {
    unsigned first, last;
  };
  constexpr std::array<Span, 10> controls{{{0, 0x1F},
                                           {0x7F, 0x9F},
                                           {0xAD, 0xAD},
                                           {0x61C, 0x61C},
                                           {0x200B, 0x200F},
                                           {0x2028, 0x202E},
                                           {0x2060, 0x206F},
                                           {0xFEFF, 0xFEFF},
                                           {0xFFF9, 0xFFFB},
                                           {0xE0000, 0xE007F}}};
  return std::any_of(controls.begin(), controls.end(),
                     [&](const Span& span) { return span.first <= code && code <= span.last; });
}

std::string escaped(unsigned code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  if (code < 0x100) return fmt::format("\\x{:02x}", code);
  return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

enum class Controls { stay, are_shown };

/// What is no UTF-8 becomes \xff.
std::string rewritten(std::string_view text, Controls controls) {
  std::string result;
  while (!text.empty()) {
    const auto [length, code] = first_character(text);
    const std::string_view rest = text.substr(std::max<std::size_t>(length, 1));
    const bool goes_on = code == '\n' && (rest.empty() || rest.starts_with("  "));
    if (length == 0)
      result += escaped(static_cast<unsigned char>(text.front()));
    else if (controls == Controls::are_shown && is_control(code) && !goes_on)
      result += escaped(code);
    else
      result += text.substr(0, length);
    text = rest;
  }
  return result;
}

}  // namespace

std::string as_utf8(std::string_view text) { return rewritten(text, Controls::stay); }

std::string printable(std::string_view text) { return rewritten(text, Controls::are_shown); }

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 100;
  return text.size() <= most ? text : fmt::format("{}... ({} bytes)", text.substr(0, most), text.size());
}

}  // namespace tayra
