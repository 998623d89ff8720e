// `tayra refine`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_refine_command(CLI::App& app);

}  // namespace tayra
