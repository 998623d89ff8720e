// `tayra bench cadence`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_cadence_command(CLI::App& group);

}  // namespace tayra
