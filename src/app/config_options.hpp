// Options of the command line that stand for config keys.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"

namespace tayra {

/// CONFIG and what stands over its keys, for `run`, `check` and `refine`.
struct ConfigOptions {
  std::string file;
  std::vector<std::string> settings;  // "key.path=value"
  std::optional<std::string> halo, device, gpus, slabs, output;
};

void add_set_option(CLI::App& command, ConfigOptions& options);
void add_output_option(CLI::App& command, ConfigOptions& options);
/// All of them but CONFIG.
void add_config_options(CLI::App& command, ConfigOptions& options);

/// Throws Error(bad_input) for a setting that isn't "key.path=value".
std::vector<Override> overrides_of(const ConfigOptions& options);
/// "key.path=value" as --set takes it.
Override set_override(const std::string& setting);

}  // namespace tayra
