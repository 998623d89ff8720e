// JSON read back from a file.
#pragma once

#include <string>

#include "io/json.hpp"

namespace tayra {

/// Throws Error(bad_input) when there is no such file or what it holds is no JSON.
Json read_json_file(const std::string& path);

}  // namespace tayra
