// All commands: each adds itself.
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_check_command(CLI::App& app);
void add_completion_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_model_command(CLI::App& app);
void add_quickstart_command(CLI::App& app);
void add_refine_command(CLI::App& app);
void add_request_commands(CLI::App& app);
void add_run_command(CLI::App& app);
void add_supervise_command(CLI::App& app);

}  // namespace tayra
