// `tayra bench halo`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_halo_command(CLI::App& group);

}  // namespace tayra
