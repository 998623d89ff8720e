// A YAML file, or one --set, as a flat list of keys that each know where they were written.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "io/config.hpp"

namespace tayra {

/// A section or a value. Sections come before what they hold.
struct ConfigEntry {
  std::string key;  // full: "numerics.cfl"
  YAML::Node value;
  std::string place;        // "a.yaml:12"
  bool taken_away = false;  // by null, though it wasn't there: its name is checked all the same
};

using ConfigDocument = std::vector<ConfigEntry>;

/// Throws Error(bad_input) for what is no file, no YAML, or holds a key twice.
ConfigDocument read_config_file(const std::string& file);
ConfigDocument read_config_text(const std::string& text, const std::string& name);
ConfigDocument read_override(const Override& override_);
/// Entries of `over` replace those of the same key, or take them away with all that they hold; others are
/// appended.
void lay_over(ConfigDocument& document, const ConfigDocument& over);

}  // namespace tayra
