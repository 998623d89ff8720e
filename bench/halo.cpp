// `tayra bench halo`: one exchange of a box's halos with every backend, its time alone and what share of it
// steps of a flow leave exposed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "app/units.hpp"
#include "bench/benchmarks.hpp"
#include "bench/exchange.hpp"
#include "bench/options.hpp"
#include "bench/results.hpp"
#include "bench/step_timing.hpp"
#include "grid/layout.hpp"
#include "grid/together.hpp"
#include "io/config.hpp"

namespace tayra {
namespace {

struct HaloOptions {
  std::string config;
  Words cells;
  Words precisions{"double"};
  Words halos{"all"};
  std::string axis = "z";
  ChainOptions chain;
  int most_stepped = 256;
  MeasuringPlan plan;
  FileOptions file;
};

std::size_t face_bytes(const SolverSettings& settings) {
  if (settings.cut_y > 1)
    return planned_slab(settings, settings.grid.cells[2], row_ranges(settings).front()).block_bytes();
  return layout_of(settings, 1).plane_stride() * ghost_planes * word_bytes(settings.precision);
}

/// Slabs side by side along y instead of above each other.
SolverSettings cut_along_y(SolverSettings box, int slabs) {
  const int rows = box.grid.cells[1];
  require(slabs <= rows / rows_of_group, ExitCode::bad_input,
          fmt::format("{} slabs of at least {} rows don't fit side by side into the {} cells along y: take "
                      "fewer slabs (--slabs), or more cells (--cells)",
                      slabs, rows_of_group, rows));
  box.cut_y = slabs;
  return box;
}

Words default_cells(DeviceKind kind) {
  Words cells;
  for (int n = 16; n <= (kind == DeviceKind::cuda ? 1024 : 256); n *= 2) cells.push_back(std::to_string(n));
  return cells;
}

/// Without grids and devices of the config these are the defaults.
Cases boxes_of(const HaloOptions& options, const Placement& placement) {
  const int slabs = neighbouring_pairs(placement) + 1;
  SolverSettings settings;
  settings.scheme = "roe3";  // as in the files that others are compared with
  if (!options.config.empty()) settings = load_config(options.config).solver;
  settings.cut_y = 1;
  settings.rows_apart = rows_of_group;  // nobody asks for statistics here
  settings.device = placement.devices.front().kind;
  settings.slabs = static_cast<int>(placement.devices.size());
  settings.gpus = std::clamp(static_cast<int>(cuda_devices().size()), 1, settings.slabs);
  const bool along_y = options.axis == "y";
  if (!options.config.empty()) {
    if (along_y) return {cut_along_y(settings, slabs)};
    require_two_planes_a_slab(settings.grid, slabs);
    return {settings};
  }
  const Words cells = options.cells.empty() ? default_cells(settings.device) : options.cells;
  const Cases boxes = varied(Cases{settings}, chosen_precisions(options.precisions),
                             [](auto& box, auto precision) { box.precision = precision; });
  return varied(boxes, cells, [&](auto& box, const auto& size) {
    box.grid = grid_of(size, along_y ? 1 : slabs);
    if (along_y) box = cut_along_y(box, slabs);
  });
}

/// Of the communication time of real steps; nothing where they would take too long or too much memory.
std::optional<double> exposed_share(const SolverSettings& settings, int most_stepped) {
  const auto& cells = settings.grid.cells;
  if (*std::max_element(cells.begin(), cells.end()) > most_stepped) return {};
  if (!why_too_large(settings).empty()) return {};
  const StepTiming timing = time_steps(settings, {.steps = 20, .repeats = 3});
  return timing.times.comm_ms > 0 ? timing.times.exposed_ms / timing.times.comm_ms : 0;
}

/// Backends measured now by their times, by bytes of a face.
using HalosByTime = std::map<std::size_t, std::map<double, std::string>>;

/// Faces across y are packed on their way to another rank, where they are not stored there at once.
Row row_of(const SolverSettings& settings, int slabs) {
  return Row()
      .add("precision", name_of(settings.precision))
      .add("cells", cells_of(settings.grid), grid_text(settings.grid))
      .show(bytes_text(face_bytes(settings)))
      .add("slabs", slabs)
      .add("halo", settings.halo)
      .keep("axis", settings.cut_y > 1 ? "y" : "z")
      .keep("packed", settings.cut_y > settings.slabs && settings.halo != "direct");
}

/// As they lie in memory, or where they lie in one block.
Exchange exchange_of(const SolverSettings& box, const Placement& placement) {
  if (box.cut_y > 1) return Exchange(placement, box);
  Exchange exchange(placement, {.bytes = face_bytes(box)});
  exchange.follow(exchange_plan(box));
  return exchange;
}

void time_backends(const SolverSettings& box, const HaloOptions& options, Results& results,
                   HalosByTime& measured) {
  const std::size_t bytes = face_bytes(box);
  const Placement placement = place_slabs(box);
  const Exchange exchange = exchange_of(box, placement);
  for (const auto& way : options.halos) {
    SolverSettings settings = box;
    settings.halo = way == "stores" ? "direct" : way;
    Row row = row_of(settings, neighbouring_pairs(placement) + 1);
    if (results.has(row)) continue;
    auto halo = make_way(way, placement, exchange.site());
    const Spread time = microseconds_per_exchange(exchange, *halo, settings.halo, options.plan);
    const std::string path = halo->traits().path;
    halo.reset();
    const double rate = 1e-3 * static_cast<double>(bytes) / time.median;
    row.add_time("us_per_exchange", time).keep("face_bytes", bytes);
    row.add_rounded("gb_per_second", rate).keep("path", path);
    const auto share = exposed_share(settings, options.most_stepped);
    if (share) row.keep("exposed_share", *share);
    results.add(row.show(share ? fmt::format("{:.1f} %", 100 * *share) : "-").show(path));
    measured[bytes].emplace(time.median, settings.halo);
  }
}

/// Where one backend takes over from another.
void print_fastest(const HalosByTime& measured) {
  std::string last;
  for (const auto& [bytes, halos] : measured) {
    const std::string& fastest = halos.begin()->second;
    if (fastest != last) print(fmt::format("faces from {}: {} is fastest\n", bytes_text(bytes), fastest));
    last = fastest;
  }
}

void bench_halo(HaloOptions options) {
  const DeviceKind kind = chosen_device(options.chain.device);
  require_known("--axis", {options.axis}, {"z", "y"});
  const Cases boxes = boxes_of(options, chain_of(options.chain, kind));
  const Placement placement = place_slabs(boxes.front());
  require_known("--halo", options.halos, names_and_all(halo_names()));
  std::replace(options.halos.begin(), options.halos.end(), std::string("direct"), std::string("stores"));
  options.halos = chosen_ways("--halo", options.halos, placement);
  Results results(options.file, "halo", names_of_devices(kind),
                  Json::object().set("config", options.config).set("repeats", options.plan.repeats));
  results.start_table(
      fmt::format(
          "us: median of {} samples of an exchange between all slabs that receivers know to have arrived\n"
          "GB/s: bytes (10^9) of a face over that time, all faces at once{}; exposed: share of the "
          "communication time in steps of a flow that computation does not hide\n",
          options.plan.repeats, options.axis == "y" ? ", two of each slab" : ""),
      {left("precision", 9), left("grid", 14), right("face", 9), right("slabs", 5), left("halo", 7),
       right("us", 10), right("least - most", 19), right("GB/s", 8), right("exposed", 8)});
  const WarmWays warm(options.halos, placement);
  HalosByTime measured;
  end_here_unless_all_fail([&] {
    for (const SolverSettings& box : boxes) time_backends(box, options, results, measured);
    results.write();
  });
  print_fastest(measured);
}

}  // namespace

void add_halo_benchmark(CLI::App& group) {
  const auto options = std::make_shared<HaloOptions>();
  CLI::App* command = group.add_subcommand("halo", "Time one exchange of a box's halos with every backend");
  CLI::Option* config = command->add_option("CONFIG", options->config, "Take the box of this YAML file");
  add_list(*command, "--cells", options->cells, "Boxes (default: 16 to 1024 doubling, on the CPU to 256)",
           "N|NXxNYxNZ,...");
  add_list(*command, "--precision", options->precisions, "double, single (default: double)");
  for (const char* of_the_config : {"--cells", "--precision"})
    command->get_option(of_the_config)->excludes(config);
  add_list(*command, "--halo", options->halos, "Backends, or all (default)");
  command
      ->add_option("--axis", options->axis, "Across which faces lie: z (default), or y: rows of each plane")
      ->type_name("z|y");
  add_chain_options(*command, options->chain);
  add_count(
      *command, "--steps-up-to", options->most_stepped,
      "Largest box, in cells along an axis, for which steps (with roe3, or as CONFIG says) are timed, too, "
      "for the exposed share of the communication time");
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_resumable_file_options(*command, options->file);
  command->callback([options] { bench_halo(*options); });
}

}  // namespace tayra
