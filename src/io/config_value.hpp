// One value of a config: from YAML, checked against its key, and as it is written.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <string>

#include "core/key.hpp"
#include "io/config_document.hpp"
#include "io/json.hpp"

namespace tayra {

/// Beyond it, either way, a whole number would be rounded.
inline constexpr std::int64_t largest_whole_number = (std::int64_t(1) << 53) - 1;

/// Throws Error(bad_input): "place: key: found …; expected …".
Value read_value(const Key& key, const ConfigEntry& entry);

/// What the key's member holds, where it is set, with every bit of a number.
void write_value(YAML::Emitter& yaml, const Key& key);
Json json_value(const Key& key);

}  // namespace tayra
