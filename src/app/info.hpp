// `tayra info`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_info_command(CLI::App& app);

}  // namespace tayra
