// `tayra bench step`: every combination of the lists asked for, timed against the copy bandwidth of the same
// run.
#include <fmt/format.h>

#include <memory>

#include "bench/bandwidth.hpp"
#include "bench/benchmarks.hpp"
#include "bench/options.hpp"
#include "bench/results.hpp"
#include "bench/step_timing.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "solver/engine.hpp"

namespace tayra {
namespace {

struct StepOptions {
  Words schemes{"all"};
  Words precisions{"double", "single"};
  Words positivity{"on"};
  Words cells;
  std::string device = "auto";
  int slabs = 1;
  StepTimingPlan plan{.steps = 5, .repeats = 7};
  FileOptions file;
};

Words default_cells(DeviceKind device) {
  return device == DeviceKind::cuda ? Words{"256", "512"} : Words{"128"};
}

Cases cases_of(const StepOptions& options) {
  SolverSettings settings;
  settings.device = chosen_device(options.device);
  settings.slabs = options.slabs;
  const Words cells = options.cells.empty() ? default_cells(settings.device) : options.cells;
  require_known("--positivity", options.positivity, {"on", "off"});
  Cases cases =
      varied(Cases{settings}, cells, [](auto& c, const auto& size) { c.grid = grid_of(size, c.slabs); });
  cases =
      varied(cases, chosen_precisions(options.precisions), [](auto& c, auto value) { c.precision = value; });
  cases = varied(cases, chosen_schemes(options.schemes), [](auto& c, const auto& name) { c.scheme = name; });
  return varied(cases, options.positivity, [](auto& c, const auto& is) { c.positivity = is == "on"; });
}

Row row_of(const SolverSettings& settings) {
  return Row()
      .add("scheme", settings.scheme)
      .add("precision", name_of(settings.precision))
      .add("positivity", settings.positivity, settings.positivity ? "on" : "off")
      .add("cells", cells_of(settings.grid), grid_text(settings.grid))
      .keep("slabs", settings.slabs);
}

void add_found(Row& row, const StepTiming& timing, double copy_bandwidth) {
  const double speed = timing.cell_steps_per_second(), rate = 1e-9 * timing.bytes_per_second();
  const double share = timing.bytes_per_second() / copy_bandwidth;
  row.add_time("ms_per_step", timing.milliseconds)
      .add("cell_steps_per_second", speed, fmt::format("{:.3e}", speed))
      .add("bytes_per_cell_step", bytes_per_cell_step(timing.settings.precision))
      .add_rounded("gb_per_second", rate)
      .keep("copy_gb_per_second", 1e-9 * copy_bandwidth)
      .add("share_of_bound", share, fmt::format("{:.1f} %", 100 * share));
}

void bench_step(const StepOptions& options) {
  require(ranks().size() == 1, ExitCode::bad_input,
          "bench step times one process: start it without mpirun, or use bench scaling");
  const Cases cases = cases_of(options);
  const Device device{cases.front().device, 0};
  const auto& [steps, repeats] = options.plan;
  Results results(options.file, "step", {names_of_devices(device.kind).front()},
                  Json::object().set("threads", cpu_threads()).set("steps", steps).set("repeats", repeats));
  const double bandwidth = copy_bandwidth(device);
  results.start_table(
      fmt::format(
          "{}\n"
          "copy bandwidth {:.4g} GB/s, bytes read and written; the bound of a step is that over bytes "
          "per cell-step\n"
          "ms/step: median of {} samples of {} steps, their least and most\n",
          device.kind == DeviceKind::cpu
              ? fmt::format("{}, {} threads", processor_name(), cpu_threads())
              : device_name(device) + ", " + name_of(gpu_shape(device.number).kind),
          1e-9 * bandwidth, repeats, steps),
      {left("scheme", 8), left("precision", 9), left("positivity", 10), left("grid", 15), right("ms/step", 9),
       right("least - most", 19), right("cell-steps/s", 12), right("B/cell-step", 11), right("GB/s", 7),
       right("of bound", 8)});
  time_cases(cases, options.plan, results, row_of,
             [&](Row& row, const StepTiming& timing) { add_found(row, timing, bandwidth); });
}

}  // namespace

void add_step_benchmark(CLI::App& group) {
  const auto options = std::make_shared<StepOptions>();
  CLI::App* command = group.add_subcommand(
      "step", "Time a step of each scheme, as a share of what the memory's measured bandwidth allows");
  add_list(*command, "--scheme", options->schemes, "Names, or all (default)");
  add_list(*command, "--precision", options->precisions, "double, single (default: both)");
  add_list(*command, "--positivity", options->positivity, "Positivity limiter: on, off (default: on)",
           "on,off");
  add_list(*command, "--cells", options->cells, "Grids (default: 128, on a GPU 256,512)", "N|NXxNYxNZ,...");
  add_device(*command, options->device);
  add_count(*command, "--slabs", options->slabs, "Cut the box into N slabs");
  add_count(*command, "--steps", options->plan.steps, "Steps in each sample");
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_resumable_file_options(*command, options->file);
  command->callback([options] { bench_step(*options); });
}

}  // namespace tayra
