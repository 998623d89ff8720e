// Grids x numbers of GPUs x halo backends: how a whole step scales. Rows follow the convention of bench files
// (docs/files.md), so that `tayra plot` and `tayra compare` draw them.
#include "app/bench_scaling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "app/bench_file.hpp"
#include "app/bench_options.hpp"
#include "app/memory.hpp"
#include "app/step_timing.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

struct BenchScalingOptions {
  Words schemes{"roe3"};
  Words precisions{"double"};
  Words cells, cells_each;
  std::vector<int> slabs;
  Words halos{"all"};
  std::string device = "auto";
  StepTimingPlan plan{.steps = 20, .repeats = 5};
  BenchFileOptions file;
};

int most_slabs(DeviceKind device) {
  return device == DeviceKind::cuda ? static_cast<int>(cuda_devices().size()) : 4;
}

/// 1, 2, 4 and so on, up to what the machine has.
std::vector<int> slab_counts(const std::vector<int>& asked, DeviceKind device) {
  for (const int count : asked)
    require(device == DeviceKind::cpu || count <= most_slabs(device), ExitCode::bad_input,
            fmt::format("--slabs {}: expected 1 to {}, one for each GPU", count, most_slabs(device)));
  std::vector<int> counts = asked;
  if (asked.empty())
    for (int count = 1; count <= most_slabs(device); count *= 2) counts.push_back(count);
  return counts;
}

/// One slab has nothing to exchange.
Words halos_for(const Words& asked, int slabs) {
  if (slabs * ranks().size() == 1) return {"auto"};
  Words known = halo_names();
  known.insert(known.end(), {"auto", "all", without_exchange});
  require_known("--halo", asked, known);
  if (std::find(asked.begin(), asked.end(), "all") == asked.end()) return asked;
  Words all = halo_names();
  all.insert(all.end(), {"auto", without_exchange});
  return all;
}

std::vector<SolverSettings> cases_of(const BenchScalingOptions& options) {
  std::vector<SolverSettings> cases;
  SolverSettings settings;
  settings.device = chosen_device(options.device);
  require_known("--precision", options.precisions, {"double", "single"});
  const auto add = [&](const Grid& grid) {
    settings.grid = grid;
    for (const auto& precision : options.precisions)
      for (const auto& scheme : chosen_schemes(options.schemes))
        for (const auto& halo : halos_for(options.halos, settings.slabs)) {
          settings.precision = precision_named(precision);
          settings.scheme = scheme;
          settings.halo = halo;
          cases.push_back(settings);
        }
  };
  for (const int slabs : slab_counts(options.slabs, settings.device)) {
    settings.slabs = slabs;
    settings.gpus = settings.device == DeviceKind::cuda ? slabs : 1;
    for (const auto& cells : options.cells) add(grid_of(cells, slabs, ranks().size()));
    for (const auto& cells : options.cells_each) add(grid_of_each(cells, slabs, ranks().size()));
  }
  return cases;
}

std::string case_text(const SolverSettings& settings) {
  return fmt::format("{:<8}  {:<9}  {:<15}  {:>5}  {:<7}", settings.scheme, name_of(settings.precision),
                     fmt::format("{}", fmt::join(settings.grid.cells, "x")), settings.slabs * ranks().size(),
                     settings.halo);
}

std::string row_text(const StepTiming& timing) {
  return fmt::format("{}  {:>10.4g}  {:>19}  {:>10.4g}  {:>8.3g}  {:>10.3g}  {:>12.3e}{}\n",
                     case_text(timing.settings), timing.milliseconds.median,
                     fmt::format("{:.4g} - {:.4g}", timing.milliseconds.least, timing.milliseconds.most),
                     timing.times.compute_ms, timing.times.comm_ms, timing.times.exposed_ms,
                     timing.cell_steps_per_second(),
                     timing.settings.halo == "auto" && timing.bytes_sent > 0 ? "  took " + timing.halo : "");
}

Json case_json(const SolverSettings& settings) {
  return Json::object()
      .set("scheme", settings.scheme)
      .set("precision", name_of(settings.precision))
      .set("cells", std::vector<int>(settings.grid.cells.begin(), settings.grid.cells.end()))
      .set("slabs", settings.slabs * ranks().size())
      .set("halo", settings.halo);
}

Json row_json(const StepTiming& timing) {
  return with_spread(case_json(timing.settings), "ms_per_step", timing.milliseconds)
      .set("halo_ran", timing.halo)
      .set("compute_ms", timing.times.compute_ms)
      .set("comm_ms", timing.times.comm_ms)
      .set("exposed_ms", timing.times.exposed_ms)
      .set("bytes_sent", timing.bytes_sent)
      .set("cell_steps_per_second", timing.cell_steps_per_second());
}

void show_header() {
  show(fmt::format("{:<8}  {:<9}  {:<15}  {:>5}  {:<7}  {:>10}  {:>19}  {:>10}  {:>8}  {:>10}  {:>12}\n",
                   "scheme", "precision", "grid", "slabs", "halo", "ms/step", "least - most", "compute ms",
                   "comm ms", "exposed ms", "cell-steps/s"));
}

void bench_scaling(const BenchScalingOptions& options) {
  require(
      !options.cells.empty() || !options.cells_each.empty(), ExitCode::bad_input,
      "say how large: --cells for the whole box (strong scaling), --cells-each for each slab (weak scaling)");
  const auto cases = cases_of(options);
  BenchFile file(options.file, "scaling", names_of_devices(cases.front().device),
                 Json::object().set("steps", options.plan.steps).set("repeats", options.plan.repeats));
  show_header();
  for (const SolverSettings& settings : cases) {
    if (file.has(case_json(settings))) continue;
    const auto skip = [&](const std::string& reason) {
      show(fmt::format("{}  skipped: {}\n", case_text(settings), reason));
      file.skip(case_json(settings).set("reason", reason));
    };
    if (!fits_on_all_ranks(settings)) {
      skip("not enough memory");
      continue;
    }
    try {
      const StepTiming timing = time_steps(settings, options.plan);
      show(row_text(timing));
      file.add(row_json(timing));
    } catch (const Error& error) {
      if (error.code() != ExitCode::unavailable) throw;
      skip(error.what());
    }
  }
  file.write();
}

}  // namespace

void add_bench_scaling_command(CLI::App& group) {
  const auto options = std::make_shared<BenchScalingOptions>();
  CLI::App* command = group.add_subcommand(
      "scaling",
      "Time steps on more and more GPUs with every halo backend, with the parts of a step listed separately");
  add_list(*command, "--scheme", options->schemes, "Names, or all (default: roe3)", "NAME,...");
  add_list(*command, "--precision", options->precisions, "double, single (default: double)", "NAME,...");
  add_list(*command, "--cells", options->cells, "Grids of the whole box", "N|NXxNYxNZ,...");
  add_list(*command, "--cells-each", options->cells_each, "Grids of each slab", "N|NXxNYxNZ,...");
  add_counts(*command, "--slabs", options->slabs,
             "Slabs for each rank, each on its own GPU (default: 1, 2, 4, ... up to the number of GPUs)");
  add_list(*command, "--halo", options->halos, "Backends, auto, none (no exchange at all), or all (default)",
           "NAME,...");
  command->add_option("--device", options->device, "cpu or cuda (default: cuda where there is a GPU)")
      ->type_name("NAME");
  add_count(*command, "--steps", options->plan.steps, "Steps in each sample");
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_bench_file_options(*command, options->file);
  command->callback([options] { bench_scaling(*options); });
}

}  // namespace tayra
