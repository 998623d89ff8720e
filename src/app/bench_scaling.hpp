// `tayra bench scaling`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_scaling_command(CLI::App& group);

}  // namespace tayra
