// `tayra bench transfer`
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_bench_transfer_command(CLI::App& group);

}  // namespace tayra
