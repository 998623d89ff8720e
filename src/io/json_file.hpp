// JSON read back from a file.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "io/json.hpp"

namespace tayra {

/// Of JSON that the YAML library has read; null where there is nothing. A quoted scalar is text, whatever it
/// looks like.
Json json_of(const YAML::Node& node);

/// Throws Error(bad_input) when there is no such file or what it holds is no JSON.
Json read_json_file(const std::string& path);

}  // namespace tayra
