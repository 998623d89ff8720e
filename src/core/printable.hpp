// Text from configs and names of files, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace tayra {

/// Names of files may be any bytes: what is no UTF-8 becomes \xff, as shells take it in $'...'.
std::string as_utf8(std::string_view text);

/// For a terminal: control characters, those that hide or turn letters around, and what is no UTF-8 become
/// \x1b or \u202e. Line breaks stay only where two blanks follow, as in messages of several lines: so no name
/// can begin a line of its own.
std::string printable(std::string_view text);

/// A value or name for a message, which need not be repeated whole.
std::string shortened(const std::string& text);

}  // namespace tayra
