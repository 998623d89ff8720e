// A YAML text as a tree. Whoever wrote the text, reading it ends, and takes memory in proportion to its
// length.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tayra {

struct YamlNode {
  enum class Kind { null, scalar, list, section };

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_section() const { return kind == Kind::section; }

  Kind kind = Kind::null;
  int line = 1;
  bool is_quoted = false;                                   // of a scalar: a text, whatever it looks like
  std::string text = {};                                    // of a scalar
  std::vector<YamlNode> items = {};                         // of a list
  std::vector<std::pair<YamlNode, YamlNode>> entries = {};  // of a section: keys and values as written
};

/// Says where a line of the text is.
using Placer = std::function<std::string(int line)>;

/// Aliases become copies of what they name. Nothing where nothing is written. Throws Error(bad_input)
/// "place: problem".
std::optional<YamlNode> parse_yaml(const std::string& text, const Placer& place);

}  // namespace tayra
