// A YAML file, or one --set, as keys that each know where they were written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/config.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {

struct ConfigEntry {
  std::string key;          // full: "numerics.cfl"
  YamlNode value;           // of a section without what it holds, which has entries of its own
  std::string place;        // "a.yaml:12"
  bool is_removed = false;  // by null, though it wasn't there: its name is checked all the same
};

/// In the order of the file, sections before what they hold; overrides last. No key is there twice.
using ConfigDocument = std::vector<ConfigEntry>;

/// Later overrides win. Throws Error(bad_input) for what is no file, no YAML, or holds a key twice.
ConfigDocument read_config_file(const std::string& file, const std::vector<Override>& overrides);
ConfigDocument read_config_text(const std::string& text, const std::string& name);

/// Gives keys the names that they have today; returns a sentence for each that had another.
std::vector<std::string> rename_old_keys(ConfigDocument& document);

/// Null where there is none.
const ConfigEntry* find_entry(const ConfigDocument& document, const std::string& key);

/// "output.parts.a" lies in "output.parts".
bool lies_in(std::string_view key, std::string_view section);

}  // namespace tayra
