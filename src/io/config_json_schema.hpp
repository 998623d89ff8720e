// The JSON schema of a config, for editors and validators, out of the table that checks it.
#pragma once

#include <string>

namespace tayra {

/// Draft 7; what it accepts, `tayra check` accepts up to values that are impossible together and a directory
/// that begins with ~ or $.
std::string config_json_schema();

}  // namespace tayra
