// Every combination of the lists asked for, each timed against the copy bandwidth of the same run.
#include "app/bench_step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "app/bench_step_report.hpp"
#include "app/processor.hpp"
#include "core/bandwidth.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "io/text_file.hpp"
#include "solver/engine.hpp"

namespace tayra {
namespace {

using Words = std::vector<std::string>;

struct BenchStepOptions {
  Words schemes{"all"};
  Words precisions{"double", "single"};
  Words positivity{"on"};
  Words cells;
  std::string device = "auto";
  int slabs = 1;
  StepTimingPlan plan{.steps = 5, .repeats = 7};
  std::string csv;
  std::string json;
};

[[noreturn]] void fail(const std::string& option, const std::string& found, const std::string& expected) {
  throw Error(ExitCode::bad_input, fmt::format("{} {}: {}", option, found, expected));
}

void require_known(const std::string& option, const Words& names, const Words& known) {
  for (const auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(option, name, fmt::format("{}expected {}", did_you_mean(name, known), fmt::join(known, ", ")));
}

Words chosen_schemes(const Words& asked) {
  Words known = scheme_names();
  known.push_back("all");
  require_known("--scheme", asked, known);
  const bool all = std::find(asked.begin(), asked.end(), "all") != asked.end();
  return all ? scheme_names() : asked;
}

DeviceKind chosen_device(const std::string& asked) {
  require_known("--device", {asked}, {"auto", "cpu", "cuda"});
  const bool there = !cuda_devices().empty();
  require(there || asked != "cuda", ExitCode::unavailable,
          "--device cuda: no GPU to run on: " + why_no_cuda());
  return there && asked != "cpu" ? DeviceKind::cuda : DeviceKind::cpu;
}

/// "128" is a cube, "64x64x128" is not.
std::array<int, 3> parse_cells(const std::string& text) {
  std::vector<int> counts;
  for (const char *at = text.data(), *end = at + text.size(); counts.empty() || at != end;) {
    int count = 0;
    const auto [stopped, error] = std::from_chars(at, end, count);
    const bool separated = stopped == end || (*stopped == 'x' && stopped + 1 != end);
    if (error != std::errc() || !separated || count < 1)
      fail("--cells", text, "expected a whole number like 128, or three like 64x64x128");
    counts.push_back(count);
    at = stopped == end ? end : stopped + 1;
  }
  if (counts.size() == 1) return {counts[0], counts[0], counts[0]};
  if (counts.size() != 3) fail("--cells", text, "expected one number or three");
  return {counts[0], counts[1], counts[2]};
}

Grid grid_of(const std::string& cells, int slabs) {
  const Grid grid{.cells = parse_cells(cells),
                  .boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
  const auto [fewest, most] = std::minmax_element(grid.cells.begin(), grid.cells.end());
  if (*fewest < 4 || *most > 65536) fail("--cells", cells, "expected 4 to 65536 cells along each axis");
  if (slabs > grid.cells[2] / 2)
    fail("--slabs", std::to_string(slabs),
         fmt::format("expected at most {}, two planes a slab, for {} cells along z", grid.cells[2] / 2,
                     grid.cells[2]));
  return grid;
}

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
  settings.cfl = 0.1;  // keeps the flow smooth over thousands of steps
  std::vector<SolverSettings> cases;
  for (const auto& cells : options.cells.empty() ? default_cells(settings.device) : options.cells) {
    settings.grid = grid_of(cells, options.slabs);
    for (const auto& precision : options.precisions) {
      settings.precision = precision == "single" ? Precision::single : Precision::double_;
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

/// Better now than after minutes of measuring.
void require_writable(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  const std::string folder = std::filesystem::absolute(path).parent_path();
  if (access(folder.c_str(), W_OK) != 0) fail(option, path, "its folder can't be written to");
}

void show(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

StepBenchmark measure(const std::vector<SolverSettings>& cases, const StepTimingPlan& plan) {
  const Device device{cases.front().device, 0};
  const bool on_cpu = device.kind == DeviceKind::cpu;
  StepBenchmark benchmark{
      on_cpu ? fmt::format("{}, {} threads", processor_name(), cpu_threads()) : device_name(device),
      cpu_threads(), copy_bandwidth(device), plan};
  show(heading(benchmark) + table_header());
  for (const SolverSettings& settings : cases) {
    if (memory_needed(settings) > memory_available(settings)) {
      benchmark.skipped.push_back(settings);
      show(skipped_row(settings));
    } else {
      benchmark.timings.push_back(time_steps(settings, plan));
      show(table_row(benchmark.timings.back(), benchmark.copy_bandwidth));
    }
  }
  return benchmark;
}

void bench_step(const BenchStepOptions& options) {
  const auto cases = cases_of(options);
  require_writable("--csv", options.csv);
  require_writable("--json", options.json);
  const StepBenchmark benchmark = measure(cases, options.plan);
  if (!options.csv.empty()) write_text_file(options.csv, as_csv(benchmark));
  if (!options.json.empty()) write_text_file(options.json, as_json(benchmark));
}

}  // namespace

void add_bench_step_command(CLI::App& group) {
  const auto options = std::make_shared<BenchStepOptions>();
  CLI::App* command = group.add_subcommand(
      "step", "Time a step of each scheme, as a share of what the memory's measured bandwidth allows");
  const auto add_list = [&](const char* name, Words& list, const char* meaning, const char* type) {
    command->add_option(name, list, meaning)->delimiter(',')->type_name(type);
  };
  add_list("--scheme", options->schemes, "Names, or all (default)", "NAME,...");
  add_list("--precision", options->precisions, "double, single (default: both)", "NAME,...");
  add_list("--positivity", options->positivity, "The limiter on, off (default: on)", "on,off");
  add_list("--cells", options->cells, "Grids (default: 128, on a GPU 256,512)", "N|NXxNYxNZ,...");
  command->add_option("--device", options->device, "cpu or cuda (default: cuda where there is a GPU)")
      ->type_name("NAME");
  const auto add_count = [&](const char* name, int& count, const char* meaning) {
    command->add_option(name, count, meaning)
        ->capture_default_str()
        ->type_name("N")
        ->check(CLI::PositiveNumber);
  };
  add_count("--slabs", options->slabs, "Cut the box into N slabs");
  add_count("--steps", options->plan.steps, "Steps in a sample");
  add_count("--repeats", options->plan.repeats, "Samples");
  command->add_option("--csv", options->csv, "Write the table to FILE")->type_name("FILE");
  command->add_option("--json", options->json, "Write everything to FILE")->type_name("FILE");
  command->callback([options] { bench_step(*options); });
}

}  // namespace tayra
