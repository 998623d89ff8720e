// A YAML file, or one --set, as keys that each know where they were written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {

/// A section or a value.
struct ConfigEntry {
  YamlNode value;           // of a section without what it holds, which has entries of its own
  std::string place;        // "a.yaml:12"
  int line;                 // of the file
  bool taken_away = false;  // by null, though it wasn't there: its name is checked all the same
};

/// By full key: "numerics.cfl".
using ConfigDocument = std::map<std::string, ConfigEntry>;
using NamedEntry = ConfigDocument::value_type;

/// Throws Error(bad_input) for what is no file, no YAML, or holds a key twice.
ConfigDocument read_config_file(const std::string& file);
ConfigDocument read_config_text(const std::string& text, const std::string& name);
ConfigDocument read_override(const Override& override_);
/// Entries of `over` replace those of the same key, or take them away with all that they hold.
void lay_over(ConfigDocument& document, const ConfigDocument& over);
/// As they stand in the file, sections before what they hold; overrides last.
std::vector<const NamedEntry*> in_order(const ConfigDocument& document);

}  // namespace tayra
