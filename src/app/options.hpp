// Options of the command line that several commands have, most of which stand for config keys.
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

/// For one process that reads what ranks are to run: how they lie side by side is theirs to judge.
std::vector<Override> overrides_with_any_cut(const ConfigOptions& options);

/// The options of `tayra run`, which `tayra supervise` reads, too.
struct RunOptions {
  ConfigOptions config;
  std::optional<std::string> resume;  // a file; empty: the newest checkpoint
  bool force = false;
  bool quiet = false;
};

void add_run_options(CLI::App& command, RunOptions& options);

/// The config that CONFIG and the options over it come to; see load_config() for `continued`.
Config load_run_config(const RunOptions& options, const std::string& continued = {});

/// Says so in words when it is given another.
CLI::Validator whole_number_from(int least);

/// CLI11 would read it to base eight.
inline bool begins_with_zero(const std::string& text) { return text.size() > 1 && text.front() == '0'; }

}  // namespace tayra
