// The resolved config and the costs of its run, on the screen.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "app/commands.hpp"
#include "app/estimate.hpp"
#include "app/machine_file.hpp"
#include "app/needs.hpp"
#include "app/options.hpp"
#include "app/prediction_text.hpp"
#include "app/units.hpp"
#include "core/host_memory.hpp"
#include "core/printable.hpp"
#include "grid/ranks.hpp"
#include "io/output_files.hpp"
#include "io/run_directory.hpp"
#include "solver/placement.hpp"

namespace tayra {
namespace {

struct CheckOptions {
  ConfigOptions config;
  std::string machine;  // a file
  bool schema = false;
};

std::string dt_text(const Config& config, const Problem& problem, double dt) {
  if (!config.solver.fixed_dt) return fmt::format("about {:.3g} (estimated from the start)", dt);
  const double cfl = dt * fastest_crossing(problem, config.solver);
  return fmt::format("{} (fixed; at the start that is cfl {:.3g}{})", dt, cfl,
                     cfl > 1 ? ", and above 1 flows break down" : "");
}

std::string halo_problem(const SolverSettings& settings) {
  if (settings.halo == "auto") return "";
  try {
    require_halo(settings.halo, place_slabs(settings).halo_place());
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string directory_problem(const Config& config) {
  const RunDirectory directory(config.output_directory);
  try {
    directory.require_apart(config.file);
    directory.check(ExistingResults::refuse);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Those who check may be elsewhere than those who run.
void print_what_is_missing_here(const Config& config) {
  const std::string devices = missing_devices(config.solver);
  const std::string missing = devices.empty() ? halo_problem(config.solver) : devices;
  for (const std::string& problem : {missing, directory_problem(config)})
    if (!problem.empty()) fmt::print("here       {}\n", printable(problem));
}

std::string free_memory_text(const SolverSettings& settings) {
  if (!missing_devices(settings).empty()) return "";
  return fmt::format(", {} free", bytes_text(memory_available(settings)));
}

/// The flow's memory on a CPU is the host's, too.
void print_waiting_output(const Config& config) {
  if (!config.writer_mebibytes && !missing_devices(config.solver).empty()) return;
  const bool on_cpu = config.solver.device == DeviceKind::cpu;
  const std::uint64_t free = host_memory_available(), of_flow = on_cpu ? memory_of_run(config) : 0;
  const std::uint64_t most = writer_memory(config, usual_writer_memory(free - std::min(free, of_flow)));
  if (most == 0) return;
  fmt::print("output     up to {} {} for output not yet written (output.writer_memory)\n", bytes_text(most),
             on_cpu ? "more" : "of the host's memory");
}

RunLength length_of(const RunLimits& limits, double dt) {
  const double to_time = limits.time ? std::ceil(*limits.time / dt) : INFINITY;
  const double limit = limits.steps ? static_cast<double>(*limits.steps) : INFINITY;
  return limit <= to_time ? RunLength{limit, limit * dt} : RunLength{to_time, *limits.time};
}

std::string count_text(double count) {
  constexpr double most_digits = 1e15;
  return count < most_digits ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string steps_text(const RunLimits& limits, const RunLength& length) {
  const bool ends_by_steps = limits.steps && length.steps == static_cast<double>(*limits.steps);
  return ends_by_steps
             ? fmt::format("{} to time {:.3g} (estimated)", *limits.steps, length.time)
             : fmt::format("about {} to time {} (estimated)", count_text(length.steps), length.time);
}

bool is_compressed(const Config& config) {
  const auto deflates = [](const SnapshotSettings& s) { return s.compression == Compression::deflate; };
  return deflates(config.snapshots) || std::any_of(config.parts.begin(), config.parts.end(),
                                                   [&](const auto& part) { return deflates(part.second); });
}

void print_disk(const Config& config, const RunLength& length) {
  std::vector<std::string> kinds;
  double all = 0;
  for (const auto& [kind, count, bytes_each] : files_of_run(config, length)) {
    all += count * static_cast<double>(bytes_each);
    kinds.push_back(fmt::format("{}{} {} of {}", kind == "checkpoints" ? "at most " : "", count_text(count),
                                kind, bytes_text(bytes_each)));
  }
  const auto bytes = static_cast<std::uint64_t>(std::min(all, 1e19));
  fmt::print("disk       about {}{}: {}\n", bytes_text(bytes),
             is_compressed(config) ? " before compression" : "", fmt::join(kinds, ", "));
  const std::uint64_t room = RunDirectory(config.output_directory).room();
  if (bytes > room)
    fmt::print(
        "here       {} has room for {} only: write fewer or smaller files (output.snapshots: every_time, "
        "every_steps, fields), or choose another disk with --output\n",
        printable(config.output_directory), bytes_text(room));
}

/// On the mean: steps end where output is due.
double shortened(double dt, const Config& config) {
  const auto shorten = [&](const Cadence& cadence) {
    if (const auto& every = cadence.every_time) dt = std::min(dt, *every / std::ceil(*every / dt));
  };
  shorten(config.snapshots.cadence);
  for (const auto& [name, part] : config.parts) shorten(part.cadence);
  shorten(config.diagnostics);
  shorten(config.statistics.of_profiles());
  shorten(config.statistics.of_spectra());
  shorten(config.statistics.of_pdf());
  return dt;
}

void print_derived(const Config& config) {
  for (const std::string& note : config.renamed) fmt::print("\nrenamed    {}\n", printable(note));
  std::vector<std::string> names;
  for (const auto& [key, value] : config.derived) names.push_back(key);
  if (!names.empty())
    fmt::print("\nderived    {} (not given: see their defaults in docs/config.md)\n", fmt::join(names, ", "));
}

/// Returns the number of steps.
double print_costs(const Config& config, const Problem& problem) {
  const SolverSettings& settings = config.solver;
  const double dt = first_dt(config, problem);
  fmt::print("\nmemory     {} on each device{}\n", bytes_text(memory_of_run(config)),
             free_memory_text(settings));
  print_waiting_output(config);
  fmt::print("exchange   {} between the slabs, three times a step\n",
             bytes_text(exchange_plan(settings).bytes()));
  const double output_dt = shortened(dt, config);
  fmt::print(
      "time step  {}{}\n", dt_text(config, problem, dt),
      output_dt < 0.9 * dt ? fmt::format(", shortened to {:.3g} by output's every_time", output_dt) : "");
  const RunLength length = length_of(config.limits, output_dt);
  fmt::print("steps      {}\n", steps_text(config.limits, length));
  print_disk(config, length);
  for (const auto& [what, doubt] : doubts_about(config, problem)) fmt::print("{:<10} {}\n", what, doubt);
  if (const std::string doubt = doubt_about_layers(problem); !doubt.empty())
    fmt::print("layers     {}\n", doubt);
  print_what_is_missing_here(config);
  return length.steps;
}

void print_prediction(const char* what, const ModelCase& of, const Machine& machine, double steps) {
  const Prediction predicted = predict(machine, of);
  const double hours = predicted.gpu_hours(steps);
  fmt::print(
      "{:<10} {:.4g} ms a step, {:.1f} % exposed, {:.1f} % efficient, {} a GPU; {:.4g} hours, "
      "{:.4g} GPU hours{} ({} x {} blocks along z and y, {})\n",
      what, predicted.step(), 100 * predicted.exposed() / predicted.step(), 100 * predicted.efficiency(),
      bytes_text(static_cast<std::uint64_t>(predicted.bytes)), hours / predicted.gpus, hours,
      machine.cost_per_hour > 0 ? fmt::format(", {:.4g} of cost", hours * machine.cost_per_hour) : "",
      of.along_z, of.along_y, of.halo);
  fmt::print("parts      {}\n", parts_text(predicted));
  if (machine.gigabytes > 0 && predicted.bytes > machine.gigabytes * 1e9)
    fmt::print("           more memory than a GPU's {:g} GB: take more GPUs\n", machine.gigabytes);
  for (const std::string& assumption : assumptions_of(machine, of)) fmt::print("assumed    {}\n", assumption);
}

/// As the config is cut, and as it were best.
void print_predictions(const Config& config, const Machine& machine, double steps) {
  const SolverSettings& settings = config.solver;
  const auto& cells = settings.grid.cells;
  const int gpus = ranks().size() * settings.gpus;
  // The model has a block on each GPU: a cut into more says nothing of that one.
  const bool one_each = settings.slabs == settings.gpus;
  const ModelCase meant{.cells = {cells[0], cells[1], cells[2]},
                        .along_y = one_each ? config.cut_y.value_or(0) : 0,
                        .scheme = settings.scheme,
                        .precision = name_of(settings.precision),
                        .halo = settings.halo};
  const ModelCase as_cut = best_case(machine, meant, gpus);
  print_prediction("model", as_cut, machine, steps);
  ModelCase any = meant;
  any.along_y = 0;
  const ModelCase best = best_case(machine, any, gpus);
  if (best.along_y != as_cut.along_y) print_prediction("best cut", best, machine, steps);
  if (!one_each)
    fmt::print("assumed    one slab on each GPU, though run.slabs is {} and run.gpus {}\n", settings.slabs,
               settings.gpus);
  if (!settings.scalars.empty()) fmt::print("assumed    carried scalars cost neither time nor memory\n");
}

void check(const CheckOptions& options) {
  const Config config = load_config(options.config.file, overrides_of(options.config), Devices::anywhere);
  const auto problem = make_problem(config);
  require_numbers_hold(config, *problem);
  std::optional<Machine> machine;
  if (!options.machine.empty()) machine = read_machine({options.machine}).machine;
  std::istringstream resolved(config.resolved_yaml);
  for (std::string line; std::getline(resolved, line);) fmt::print("{}\n", printable(line));
  print_derived(config);
  const double steps = print_costs(config, *problem);
  if (machine) print_predictions(config, *machine, steps);
  require_fit(config);
}

void check_or_print_schema(const CheckOptions& options) {
  if (options.schema)
    std::fputs(config_json_schema().c_str(), stdout);
  else if (options.config.file.empty())
    throw Error(ExitCode::bad_input, "CONFIG is required; see tayra check --help");
  else
    check(options);
}

}  // namespace

void add_check_command(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check", "Validate a config and estimate what the run will take; runs and writes nothing");
  command->add_option("CONFIG", options->config.file, "YAML file");
  add_config_options(*command, options->config);
  command
      ->add_option("--machine", options->machine,
                   "Predict the time and cost of the run on the machine of this file (tayra model --json)")
      ->type_name("FILE");
  command->add_flag("--schema", options->schema, "Print the JSON schema of configs; needs no CONFIG");
  command->callback([options] { check_or_print_schema(*options); });
}

}  // namespace tayra
