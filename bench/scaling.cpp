// `tayra bench scaling`: grids x numbers of GPUs x halo backends, how a whole step scales.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "bench/benchmarks.hpp"
#include "bench/options.hpp"
#include "bench/results.hpp"
#include "bench/step_timing.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "solver/placement.hpp"

namespace tayra {
namespace {

struct ScalingOptions {
  Words schemes{"roe3"};
  Words precisions{"double"};
  Words cells, cells_each;
  std::vector<int> slabs, cuts_y{1};
  Words halos{"all"};
  std::string device = "auto";
  StepTimingPlan plan{.steps = 20, .repeats = 5};
  FileOptions file;
};

/// 1, 2, 4 and so on, up to what the machine has.
std::vector<int> slab_counts(const std::vector<int>& asked, DeviceKind device) {
  const bool on_gpus = device == DeviceKind::cuda;
  const int most = on_gpus ? static_cast<int>(cuda_devices().size()) : 4;
  for (const int count : asked)
    require(!on_gpus || count <= most, ExitCode::bad_input,
            fmt::format("--slabs {}: expected 1 to {}, one for each GPU", count, most));
  std::vector<int> counts = asked;
  if (asked.empty())
    for (int count = 1; count <= most; count *= 2) counts.push_back(count);
  return counts;
}

/// Those of the cuts asked for into which a box can be cut.
Cases with_cuts(const Cases& cases, const std::vector<int>& cuts_y) {
  Cases all = varied(cases, cuts_y, [](auto& c, int cut_y) { c.cut_y = cut_y; });
  std::erase_if(all, [](const SolverSettings& c) { return !is_possible_cut(c, c.cut_y); });
  require(!all.empty(), ExitCode::bad_input,
          fmt::format(
              "--cut-y {}: no box can be cut so: slabs of all ranks must be a multiple of it, each with at "
              "least two planes and {} rows",
              fmt::join(cuts_y, ","), rows_of_group));
  return all;
}

/// One slab has nothing to exchange.
Words halos_for(const Words& asked, int slabs) {
  if (slabs * ranks().size() == 1) return {"auto"};
  Words all = halo_names();
  all.insert(all.end(), {"auto", without_exchange});
  return names_or_all("--halo", asked, all);
}

Cases cases_of(const ScalingOptions& options) {
  SolverSettings settings;
  settings.device = chosen_device(options.device);
  settings.rows_apart = rows_of_group;  // nobody asks for statistics here
  const auto precisions = chosen_precisions(options.precisions);
  const Words schemes = chosen_schemes(options.schemes);
  Cases all;
  for (const int slabs : slab_counts(options.slabs, settings.device)) {
    settings.slabs = slabs;
    settings.gpus = settings.device == DeviceKind::cuda ? slabs : 1;
    std::vector<Grid> grids;
    for (const auto& cells : options.cells) grids.push_back(grid_of(cells, slabs, ranks().size()));
    for (const auto& cells : options.cells_each) grids.push_back(grid_of_each(cells, slabs, ranks().size()));
    Cases cases = varied(Cases{settings}, grids, [](auto& c, const auto& grid) { c.grid = grid; });
    cases = varied(cases, precisions, [](auto& c, auto precision) { c.precision = precision; });
    cases = varied(cases, schemes, [](auto& c, const auto& scheme) { c.scheme = scheme; });
    cases = varied(cases, halos_for(options.halos, slabs), [](auto& c, const auto& halo) { c.halo = halo; });
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return with_cuts(all, options.cuts_y);
}

Row row_of(const SolverSettings& settings) {
  return Row()
      .add("scheme", settings.scheme)
      .add("precision", name_of(settings.precision))
      .add("cells", cells_of(settings.grid), grid_text(settings.grid))
      .add("slabs", settings.slabs * ranks().size())
      .add("cut_y", settings.cut_y)
      .add("halo", settings.halo);
}

void add_found(Row& row, const StepTiming& timing) {
  const auto& [compute, comm, exposed] = timing.times;
  const double speed = timing.cell_steps_per_second();
  row.add_time("ms_per_step", timing.milliseconds)
      .keep("halo_ran", timing.halo)
      .add_rounded("compute_ms", compute)
      .add_rounded("comm_ms", comm, 3)
      .add_rounded("exposed_ms", exposed, 3)
      .keep("bytes_sent", timing.bytes_sent)
      .add("cell_steps_per_second", speed, fmt::format("{:.3e}", speed));
  if (timing.settings.halo == "auto" && timing.bytes_sent > 0) row.show("took " + timing.halo);
}

void bench_scaling(const ScalingOptions& options) {
  require(
      !options.cells.empty() || !options.cells_each.empty(), ExitCode::bad_input,
      "say how large: --cells for the whole box (strong scaling), --cells-each for each slab (weak scaling)");
  const Cases cases = cases_of(options);
  Results results(options.file, "scaling", names_of_devices(cases.front().device),
                  Json::object().set("steps", options.plan.steps).set("repeats", options.plan.repeats));
  results.start_table(
      "", {left("scheme", 8), left("precision", 9), left("grid", 15), right("slabs", 5), right("cut_y", 5),
           left("halo", 7), right("ms/step", 10), right("least - most", 19), right("compute ms", 10),
           right("comm ms", 8), right("exposed ms", 10), right("cell-steps/s", 12)});
  time_cases(cases, options.plan, results, row_of, add_found);
}

}  // namespace

void add_scaling_benchmark(CLI::App& group) {
  const auto options = std::make_shared<ScalingOptions>();
  CLI::App* command = group.add_subcommand(
      "scaling",
      "Time steps on more and more GPUs with every halo backend, with the parts of a step listed separately");
  add_list(*command, "--scheme", options->schemes, "Names, or all (default: roe3)");
  add_list(*command, "--precision", options->precisions, "double, single (default: double)");
  add_list(*command, "--cells", options->cells, "Grids of the whole box", "N|NXxNYxNZ,...");
  add_list(*command, "--cells-each", options->cells_each, "Grids of each slab", "N|NXxNYxNZ,...");
  add_counts(*command, "--slabs", options->slabs,
             "Slabs for each rank, each on its own GPU (default: 1, 2, 4, ... up to the number of GPUs)");
  add_counts(*command, "--cut-y", options->cuts_y,
             "Slabs side by side along y, where these fit (default: 1)");
  add_list(*command, "--halo", options->halos, "Backends, auto, none (no exchange at all), or all (default)");
  add_device(*command, options->device);
  add_count(*command, "--steps", options->plan.steps, "Steps in each sample");
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_resumable_file_options(*command, options->file);
  command->callback([options] { bench_scaling(*options); });
}

}  // namespace tayra
