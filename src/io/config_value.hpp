// One value of a config: from YAML, checked against its key, and back.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <string>

#include "core/parameters.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {

/// Beyond it, either way, a whole number would be rounded.
inline constexpr std::int64_t largest_whole_number = (std::int64_t(1) << 53) - 1;

/// Throws Error(bad_input): "place: key: found …; expected …".
Value read_value(const Parameter& key, const YamlNode& node, const std::string& place);

/// Numbers keep every bit.
void write_value(YAML::Emitter& yaml, const Value& value);

}  // namespace tayra
