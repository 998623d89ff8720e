// One exchange of a box's halos with every backend: its time alone, what share of it steps of a flow leave
// exposed, and what a face across y would cost.
#include "app/bench_halo.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/bench_exchange.hpp"
#include "app/bench_file.hpp"
#include "app/bench_options.hpp"
#include "app/bench_strips.hpp"
#include "app/memory.hpp"
#include "app/step_timing.hpp"
#include "app/units.hpp"
#include "core/error.hpp"
#include "grid/last_words.hpp"
#include "grid/layout.hpp"
#include "grid/together.hpp"
#include "io/config.hpp"
#include "solver/memory_needs.hpp"

namespace tayra {
namespace {

struct BenchHaloOptions {
  std::string config;
  Words cells;
  Words precisions{"double"};
  Words halos{"all"};
  ChainOptions chain;
  int most_stepped = 256, most_strided = 512;
  MeasuringPlan plan;
  BenchFileOptions file;
};

struct HaloCase {
  SolverSettings settings;
  int slabs;  // in all
  std::string axis = "z";
  bool packed = false;
};

std::size_t face_bytes(const SolverSettings& settings) {
  return Layout{settings.grid.cells[0], settings.grid.cells[1], 1}.plane_stride() * ghost_planes *
         word_bytes(settings.precision);
}

Json columns(const HaloCase& c) {
  return Json::object()
      .set("precision", name_of(c.settings.precision))
      .set("cells", std::vector<int>(c.settings.grid.cells.begin(), c.settings.grid.cells.end()))
      .set("slabs", c.slabs)
      .set("halo", c.settings.halo)
      .set("axis", c.axis)
      .set("packed", c.packed);
}

class HaloReport {
 public:
  HaloReport(BenchFile& file, int slabs) : file_(file), slabs_(slabs) {}

  void add(const HaloCase& c, const Spread& time, std::optional<double> exposed_share,
           const std::string& path) {
    const double rate = 1e-3 * static_cast<double>(face_bytes(c.settings)) / time.median;
    Json row = with_spread(columns(c), "us_per_exchange", time);
    row.set("face_bytes", face_bytes(c.settings)).set("gb_per_second", rate).set("path", path);
    if (exposed_share) row.set("exposed_share", *exposed_share);
    file_.add(row);
    if (c.slabs == slabs_ && c.axis == "z") note(c, time.median);
    show(fmt::format("{}  {:>10.4g}  {:>19}  {:>8.4g}  {:>8}  {}\n", text(c), time.median,
                     fmt::format("{:.4g} - {:.4g}", time.least, time.most), rate,
                     exposed_share ? fmt::format("{:.1f} %", 100 * *exposed_share) : "-", path));
  }

  /// Where one backend takes over from another, of those measured now.
  void show_fastest() const {
    const std::string* last = nullptr;
    for (const auto& [bytes, best] : fastest_) {
      if (last == nullptr || *last != best.halo)
        show(fmt::format("faces from {}: {} is fastest\n", bytes_text(bytes), best.halo));
      last = &best.halo;
    }
  }

  void skip(const HaloCase& c, const std::string& reason) {
    file_.skip(columns(c).set("reason", reason));
    show(fmt::format("{}  skipped: {}\n", text(c), reason));
  }

  bool has(const HaloCase& c) const { return file_.has(columns(c)); }

 private:
  static std::string text(const HaloCase& c) {
    return fmt::format("{:<9}  {:<14}  {:>9}  {:>5}  {:<7}  {:<4}  {:<6}", name_of(c.settings.precision),
                       fmt::format("{}", fmt::join(c.settings.grid.cells, "x")),
                       bytes_text(face_bytes(c.settings)), c.slabs, c.settings.halo, c.axis,
                       c.packed ? "yes" : "no");
  }

  struct Fastest {
    std::string halo;
    double us = HUGE_VAL;
  };

  void note(const HaloCase& c, double us) {
    Fastest& best = fastest_[face_bytes(c.settings)];
    if (us < best.us) best = {c.settings.halo, us};
  }

  BenchFile& file_;
  int slabs_;
  std::map<std::size_t, Fastest> fastest_;  // by bytes of a face
};

Words default_cells(DeviceKind kind) {
  Words cells;
  for (int n = 16; n <= (kind == DeviceKind::cuda ? 1024 : 256); n *= 2) cells.push_back(std::to_string(n));
  return cells;
}

/// Without grids and devices of the config these are the defaults.
std::vector<SolverSettings> boxes_of(const BenchHaloOptions& options, const Placement& placement) {
  const int slabs = neighbouring_pairs(placement) + 1;
  SolverSettings settings;
  Words cells = options.cells;
  if (!options.config.empty()) settings = load_config(options.config).solver;
  settings.device = placement.devices.front().kind;
  settings.slabs = static_cast<int>(placement.devices.size());
  settings.gpus = std::clamp(static_cast<int>(cuda_devices().size()), 1, settings.slabs);
  if (!options.config.empty()) {
    require_two_planes_a_slab(settings.grid, slabs);
    return {settings};
  }
  settings.scheme = "roe3";  // as in the files that others are compared with
  std::vector<SolverSettings> boxes;
  require_known("--precision", options.precisions, {"double", "single"});
  for (const auto& precision : options.precisions)
    for (const auto& size : cells.empty() ? default_cells(settings.device) : cells) {
      settings.precision = precision_named(precision);
      settings.grid = grid_of(size, slabs);
      boxes.push_back(settings);
    }
  return boxes;
}

/// Of the communication time of real steps; nothing where they would take too long or too much memory.
std::optional<double> exposed_share(const SolverSettings& settings, int most_stepped) {
  const auto& cells = settings.grid.cells;
  if (*std::max_element(cells.begin(), cells.end()) > most_stepped) return {};
  if (!fits_on_all_ranks(settings)) return {};
  const StepTiming timing = time_steps(settings, {.steps = 20, .repeats = 3});
  return timing.times.comm_ms > 0 ? timing.times.exposed_ms / timing.times.comm_ms : 0;
}

void time_backends(const SolverSettings& box, const BenchHaloOptions& options, const Placement& placement,
                   HaloReport& report) {
  Exchange exchange(placement, {.bytes = face_bytes(box)});
  exchange.follow(exchange_plan(box));
  for (const auto& way : options.halos) {
    HaloCase c{box, neighbouring_pairs(placement) + 1};
    c.settings.halo = way == "stores" ? "direct" : way;
    if (report.has(c)) continue;
    auto halo = make_way(way, placement, exchange.site());
    const Spread time = microseconds_per_exchange(exchange, *halo, c.settings.halo, options.plan);
    const std::string path = halo->path();
    halo.reset();
    report.add(c, time, exposed_share(c.settings, options.most_stepped), path);
  }
}

/// Between two slabs of one process.
void time_faces(const SolverSettings& box, const BenchHaloOptions& options, const Placement& placement,
                HaloReport& report) {
  const int n = box.grid.cells[0];
  const bool cube = box.grid.cells == std::array{n, n, n};
  if (!cube || n > options.most_strided || placement.devices.size() < 2) return;
  const std::size_t word = word_bytes(box.precision);
  for (const FaceWay way : {FaceWay::contiguous, FaceWay::strided, FaceWay::packed}) {
    HaloCase c{box, 2, way == FaceWay::contiguous ? "z" : "y", way == FaceWay::packed};
    c.settings.halo = box.device == DeviceKind::cuda ? "uva" : "host";
    c.settings.slabs = 2;
    if (report.has(c)) continue;
    if (!holds_on_all_ranks(2 * face_memory(n, word) <= memory_available(c.settings))) {
      report.skip(c, "not enough memory");
      continue;
    }
    report.add(c, microseconds_per_face(placement.devices, n, word, way, options.plan), {}, "");
  }
}

void bench_halo(BenchHaloOptions options) {
  const DeviceKind kind = chosen_device(options.chain.device);
  const Placement placement = chain_of(options.chain, kind);
  const auto boxes = boxes_of(options, placement);
  require_known("--halo", options.halos, or_all(halo_names()));
  std::replace(options.halos.begin(), options.halos.end(), std::string("direct"), std::string("stores"));
  options.halos = chosen_ways("--halo", options.halos, placement);
  BenchFile file(options.file, "halo", names_of_devices(kind),
                 Json::object().set("config", options.config).set("repeats", options.plan.repeats));
  show(fmt::format(
      "us: median of {} samples of an exchange between all slabs that receivers know to have arrived\n"
      "GB/s: bytes (10^9) of a face over that time, all faces at once; exposed: share of the communication "
      "time "
      "in steps of a flow that computation does not hide\n"
      "{:<9}  {:<14}  {:>9}  {:>5}  {:<7}  {:<4}  {:<6}  {:>10}  {:>19}  {:>8}  {:>8}\n",
      options.plan.repeats, "precision", "grid", "face", "slabs", "halo", "axis", "packed", "us",
      "least - most", "GB/s", "exposed"));
  const WarmWays warm(options.halos, placement);
  HaloReport report(file, neighbouring_pairs(placement) + 1);
  end_here_if_lost([&] {
    for (const SolverSettings& box : boxes) {
      time_backends(box, options, placement, report);
      time_faces(box, options, placement, report);
    }
    file.write();
  });
  report.show_fastest();
}

}  // namespace

void add_bench_halo_command(CLI::App& group) {
  const auto options = std::make_shared<BenchHaloOptions>();
  CLI::App* command = group.add_subcommand("halo", "Time one exchange of a box's halos with every backend");
  CLI::Option* config = command->add_option("CONFIG", options->config, "Take the box of this YAML file");
  command->add_option("--cells", options->cells, "Boxes (default: 16 to 1024 doubling, on the CPU to 256)")
      ->delimiter(',')
      ->excludes(config)
      ->type_name("N|NXxNYxNZ,...");
  add_list(*command, "--precision", options->precisions, "double, single (default: double)", "NAME,...");
  command->get_option("--precision")->excludes(config);
  add_list(*command, "--halo", options->halos, "Backends, or all (default)", "NAME,...");
  add_chain_options(*command, options->chain);
  add_count(
      *command, "--steps-up-to", options->most_stepped,
      "Largest box, in cells along an axis, for which steps (with roe3, or as CONFIG says) are timed, too, "
      "for the exposed share of the communication time");
  add_count(*command, "--strided-up-to", options->most_strided,
            "Largest cube, in cells along an axis, for which exchanges across y are timed, too");
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_bench_file_options(*command, options->file);
  command->callback([options] { bench_halo(*options); });
}

}  // namespace tayra
