// Every combination of the lists asked for, each timed against the copy bandwidth of the same run.
#include "app/bench_step.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/bench_file.hpp"
#include "app/bench_options.hpp"
#include "app/bench_step_report.hpp"
#include "app/memory.hpp"
#include "app/processor.hpp"
#include "core/bandwidth.hpp"
#include "grid/ranks.hpp"
#include "solver/engine.hpp"

namespace tayra {
namespace {

struct BenchStepOptions {
  Words schemes{"all"};
  Words precisions{"double", "single"};
  Words positivity{"on"};
  Words cells;
  std::string device = "auto";
  int slabs = 1;
  StepTimingPlan plan{.steps = 5, .repeats = 7};
  BenchFileOptions file;
};

Words default_cells(DeviceKind device) {
  return device == DeviceKind::cuda ? Words{"256", "512"} : Words{"128"};
}

std::vector<SolverSettings> cases_of(const BenchStepOptions& options) {
  const Words schemes = chosen_schemes(options.schemes);
  require_known("--precision", options.precisions, {"double", "single"});
  require_known("--positivity", options.positivity, {"on", "off"});
  SolverSettings settings;
  settings.device = chosen_device(options.device);
  settings.slabs = options.slabs;
  std::vector<SolverSettings> cases;
  for (const auto& cells : options.cells.empty() ? default_cells(settings.device) : options.cells) {
    settings.grid = grid_of(cells, options.slabs);
    for (const auto& precision : options.precisions) {
      settings.precision = precision_named(precision);
      for (const auto& scheme : schemes) {
        settings.scheme = scheme;
        for (const auto& positivity : options.positivity) {
          settings.positivity = positivity == "on";
          cases.push_back(settings);
        }
      }
    }
  }
  return cases;
}

void bench_step(const BenchStepOptions& options) {
  require(ranks().size() == 1, ExitCode::bad_input,
          "bench step times one process: start it without mpirun, or use bench scaling");
  const auto cases = cases_of(options);
  const Device device{cases.front().device, 0};
  const bool on_cpu = device.kind == DeviceKind::cpu;
  BenchFile file(options.file, "step", {names_of_devices(device.kind).front()},
                 Json::object()
                     .set("threads", cpu_threads())
                     .set("steps", options.plan.steps)
                     .set("repeats", options.plan.repeats));
  const StepBenchmark benchmark{
      on_cpu ? fmt::format("{}, {} threads", processor_name(), cpu_threads()) : device_name(device),
      copy_bandwidth(device), options.plan};
  show(heading(benchmark) + table_header());
  for (const SolverSettings& settings : cases) {
    if (file.has(case_json(settings))) continue;
    if (!fits_on_all_ranks(settings)) {
      file.skip(case_json(settings));
      show(skipped_row(settings));
      continue;
    }
    const StepTiming timing = time_steps(settings, options.plan);
    show(table_row(timing, benchmark.copy_bandwidth));
    file.add(row_json(timing, benchmark.copy_bandwidth));
  }
  file.write();
}

}  // namespace

void add_bench_step_command(CLI::App& group) {
  const auto options = std::make_shared<BenchStepOptions>();
  CLI::App* command = group.add_subcommand(
      "step", "Time a step of each scheme, as a share of what the memory's measured bandwidth allows");
  add_list(*command, "--scheme", options->schemes, "Names, or all (default)", "NAME,...");
  add_list(*command, "--precision", options->precisions, "double, single (default: both)", "NAME,...");
  add_list(*command, "--positivity", options->positivity, "Positivity limiter: on, off (default: on)",
           "on,off");
  add_list(*command, "--cells", options->cells, "Grids (default: 128, on a GPU 256,512)", "N|NXxNYxNZ,...");
  command->add_option("--device", options->device, "cpu or cuda (default: cuda where there is a GPU)")
      ->type_name("NAME");
  add_count(*command, "--slabs", options->slabs, "Cut the box into N slabs");
  add_count(*command, "--steps", options->plan.steps, "Steps in each sample");
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_bench_file_options(*command, options->file);
  command->callback([options] { bench_step(*options); });
}

}  // namespace tayra
