// `tayra run`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_run_command(CLI::App& app);

}  // namespace tayra
