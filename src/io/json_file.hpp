// JSON read back from a file.
#pragma once

#include <string>

#include "io/json.hpp"

namespace tayra {

/// Null where the file is empty. Whoever wrote it, reading it ends soon. Throws Error(bad_input) when there
/// is no such file, or it holds no JSON or more of it than any file of ours.
Json read_json_file(const std::string& path);

}  // namespace tayra
