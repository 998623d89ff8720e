// The options of `tayra run`, which `tayra supervise` reads, too.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/config_options.hpp"

namespace tayra {

struct RunOptions {
  ConfigOptions config;
  std::optional<std::string> resume;  // a file; empty: the newest checkpoint
  bool force = false;
  bool quiet = false;
};

void add_run_options(CLI::App& command, RunOptions& options);

/// The config that CONFIG and the options over it come to; see load_config() for `continued`.
Config load_run_config(const RunOptions& options, const std::string& continued = {});

}  // namespace tayra
