// `tayra bench overheads`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_overheads_command(CLI::App& group);

}  // namespace tayra
