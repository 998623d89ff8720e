// Options of the command line that stand for config keys.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace tayra {

/// CONFIG and --set, which `run`, `check` and `refine` share.
struct ConfigOptions {
  std::string file;
  std::vector<std::string> settings;  // "key.path=value"
};

void add_set_option(CLI::App& command, ConfigOptions& options);

/// "key.path=value" as --set takes it. Throws Error(bad_input) when it is no such thing.
Override set_override(const std::string& setting);
std::vector<Override> set_overrides(const ConfigOptions& options);

}  // namespace tayra
