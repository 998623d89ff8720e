// All benchmarks: each adds its subcommand.
#pragma once

#include <CLI/CLI.hpp>

namespace tayra {

void add_cadence_benchmark(CLI::App& group);
void add_halo_benchmark(CLI::App& group);
void add_overheads_benchmark(CLI::App& group);
void add_scaling_benchmark(CLI::App& group);
void add_step_benchmark(CLI::App& group);
void add_transfer_benchmark(CLI::App& group);

}  // namespace tayra
