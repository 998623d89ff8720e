// `tayra bench`: measurements, one a subcommand.
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_command(CLI::App& app);

}  // namespace tayra
