// Where every benchmark is listed.
#include "app/bench.hpp"

#include "app/bench_cadence.hpp"
#include "app/bench_halo.hpp"
#include "app/bench_overheads.hpp"
#include "app/bench_scaling.hpp"
#include "app/bench_step.hpp"
#include "app/bench_transfer.hpp"

namespace tayra {

void add_bench_command(CLI::App& app) {
  CLI::App* group = app.add_subcommand("bench", "Measure this build on this machine");
  group->require_subcommand(1);
  add_bench_cadence_command(*group);
  add_bench_halo_command(*group);
  add_bench_overheads_command(*group);
  add_bench_scaling_command(*group);
  add_bench_step_command(*group);
  add_bench_transfer_command(*group);  // a new benchmark is one line here
}

}  // namespace tayra
