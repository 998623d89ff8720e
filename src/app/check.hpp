// `tayra check`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_check_command(CLI::App& app);

}  // namespace tayra
