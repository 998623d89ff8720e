// The keys of a config, each bound to its member.
#pragma once

#include <yaml-cpp/yaml.h>

#include "io/config.hpp"
#include "io/json.hpp"

namespace tayra {

/// All sections, in the order of files, with the keys of the problem and of the parts that the config has.
/// The config must stay where it is as long as they are used.
Key config_keys(Config& config);

/// For documents: without a problem's own keys, those of a part under the name NAME.
inline Config config_of_documents() {
  Config config;
  config.parts["NAME"];
  return config;
}

/// What the key's member holds, where it is set, with every bit of a number.
void write_value(YAML::Emitter& yaml, const Key& key);
Json json_value(const Key& key);

/// The section whose names the user gives.
inline constexpr const char* parts_section = "output.parts";

/// Throws Error(bad_input) for what single keys can't see: values that are impossible together.
void check_together(const Config& config);
/// Of what is measured of the problem's flow.
void check_statistics(const Config& config, const Problem& problem);

}  // namespace tayra
