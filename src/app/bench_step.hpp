// `tayra bench step`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_step_command(CLI::App& group);

}  // namespace tayra
