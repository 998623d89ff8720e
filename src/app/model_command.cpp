// The model's numbers, how far off it is where steps were measured, and what it predicts.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "app/commands.hpp"
#include "app/machine_file.hpp"
#include "app/options.hpp"
#include "app/prediction_text.hpp"
#include "core/error.hpp"
#include "core/number_in.hpp"
#include "core/printable.hpp"
#include "core/spread.hpp"

namespace tayra {
namespace {

struct ModelOptions {
  std::vector<std::string> files;
  std::string cells;
  std::vector<std::string> gpus;
  std::string scheme = "muscl", precision = "double", halo = "auto";
  int cut_y = 0;
  bool as_json = false;
};

std::vector<int> cells_named(const std::string& text) {
  std::vector<int> cells;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto number = number_in<int>(text.substr(begin, end - begin));
    if (!number || *number < 1) break;
    cells.push_back(*number);
    begin = end + 1;
  }
  if (cells.size() == 1) cells = {cells[0], cells[0], cells[0]};
  require(cells.size() == 3 && begin == text.size() + 1, ExitCode::bad_input,
          fmt::format("--cells {}: expected N or NXxNYxNZ, like 1024x1024x2048", shortened(text)));
  return cells;
}

void print_links(const char* place, const std::map<std::string, Link>& links) {
  for (const auto& [name, link] : links) {
    std::vector<std::string> latencies;
    for (const auto& [gpus, us] : link.latency_us)
      latencies.push_back(fmt::format("{:.3g} ({:g})", us, gpus));
    fmt::print(
        "{:<10} {:<7} {:.4g} GB/s out of a GPU; latency in us (GPUs): {}{}\n", place, printable(name),
        link.gb_per_second, fmt::join(latencies, ", "),
        link.slows_sweep > 0 ? fmt::format("; sweeps take {:.0f} % longer", 100 * link.slows_sweep) : "");
  }
}

void print_machine(const Machine& machine) {
  fmt::print("machine    {}, {} a node\n", printable(machine.name), machine.gpus_per_node);
  for (const SpeedOf& speed : machine.speeds) {
    const auto& [cells, ms] = speed.step_ms.back();
    fmt::print("speed      {} in {}: {:.3g} cell-steps/s, {:.3g} ms for the smallest grid\n",
               printable(speed.scheme), printable(speed.precision), cells / ms * 1e3,
               speed.step_ms.front().second);
  }
  fmt::print("late       {:.2g} % of a sweep\n", 100 * machine.late_share);
  print_links("inside", machine.inside);
  print_links("between", machine.between);
}

/// In per cent of what was measured.
struct Errors {
  std::vector<double> all;
  std::string text() const {
    if (all.empty()) return "none";
    const Spread spread = spread_of(all);
    return fmt::format("{} cases, {:.1f} % off in the median, {:.1f} % at worst", all.size(), spread.median,
                       spread.most);
  }
};

void print_cases(const MachineData& data) {
  if (data.cases.empty()) return;
  fmt::print("\n{:<28} {:>10} {:>10} {:>7}  {}\n", "case", "measured", "modelled", "off %", "parts in ms");
  std::map<std::string, Errors> by_backend;
  Errors tested;
  std::set<std::string> without_link;
  for (const MeasuredCase& one : data.cases) {
    const auto& [cells, along_z, along_y, scheme, precision, halo] = one.what;
    const auto& inside = data.machine.inside;
    if (halo != "none" && !inside.contains(halo)) {
      without_link.insert(halo);
      continue;
    }
    const Prediction predicted = predict(data.machine, one.what);
    const double off = 100 * (predicted.step() / one.step_ms - 1);
    fmt::print("{:<28} {:>10.4f} {:>10.4f} {:>+7.1f}{} {}\n",
               fmt::format("{} {} {} {} {}", fmt::join(cells, "x"), scheme, precision == "double" ? "d" : "s",
                           along_z, halo),
               one.step_ms, predicted.step(), off, one.is_used ? "*" : " ", parts_text(predicted));
    if (one.is_used) continue;
    tested.all.push_back(std::abs(off));
    by_backend[halo].all.push_back(std::abs(off));
  }
  fmt::print("* the machine's numbers come from it, too; not counted below\n\n");
  for (const auto& [name, errors] : by_backend) fmt::print("{:<10} {}\n", printable(name), errors.text());
  fmt::print("{:<10} {}\n", "all", tested.text());
  for (const std::string& name : without_link)
    fmt::print("left out   cases of {}: add a file of `tayra bench halo --halo {}`\n", printable(name),
               printable(name));
}

/// With the fastest cut and backend that the options leave open, by number of GPUs.
std::vector<ModelCase> cases_asked_for(const Machine& machine, const ModelOptions& options) {
  const ModelCase what{cells_named(options.cells), 1,           options.cut_y, options.scheme,
                       options.precision,          options.halo};
  std::vector<ModelCase> cases;
  for (const std::string& gpus : options.gpus)
    cases.push_back(best_case(machine, what, *number_in<int>(gpus)));
  return cases;
}

void print_predictions(const Machine& machine, const ModelOptions& options) {
  std::vector<std::string> assumptions;
  fmt::print("\n{}\n", prediction_header());
  for (const ModelCase& best : cases_asked_for(machine, options)) {
    fmt::print("{}\n", prediction_line(best, predict(machine, best)));
    for (const std::string& assumption : assumptions_of(machine, best))
      if (std::find(assumptions.begin(), assumptions.end(), assumption) == assumptions.end())
        assumptions.push_back(assumption);
  }
  for (const std::string& assumption : assumptions) fmt::print("assumed    {}\n", assumption);
}

Json predictions_json(const Machine& machine, const ModelOptions& options) {
  Json all = Json::array();
  for (const ModelCase& what : cases_asked_for(machine, options)) {
    const Prediction of = predict(machine, what);
    all.push(Json::object()
                 .set("cells", what.cells)
                 .set("gpus", of.gpus)
                 .set("along_z", what.along_z)
                 .set("along_y", what.along_y)
                 .set("halo", what.halo)
                 .set("step_ms", of.step())
                 .set("sweep_ms", of.sweep)
                 .set("late_ms", of.late)
                 .set("rim_ms", of.rim)
                 .set("latency_ms", of.latency)
                 .set("bandwidth_ms", of.transfer)
                 .set("reduction_ms", of.reduction)
                 .set("efficiency", of.efficiency())
                 .set("memory_bytes", of.bytes)
                 .set("gpu_hours_of_1000_steps", of.gpu_hours(1000)));
  }
  return all;
}

void model(const ModelOptions& options) {
  const MachineData data = read_machine(options.files);
  if (options.as_json) {
    const Json json =
        options.cells.empty() ? machine_json(data.machine) : predictions_json(data.machine, options);
    fmt::print("{}\n", json.text());
    return;
  }
  print_machine(data.machine);
  if (options.cells.empty())
    print_cases(data);
  else
    print_predictions(data.machine, options);
}

}  // namespace

void add_model_command(CLI::App& app) {
  const auto options = std::make_shared<ModelOptions>();
  CLI::App* command = app.add_subcommand(
      "model", "Predict steps on any number of GPUs from benchmarks of few; see docs/scaling.md");
  command->add_option("FILE", options->files, "Results of `tayra bench step|scaling|halo`, or a machine file")
      ->required();
  auto* cells = command->add_option("--cells", options->cells, "Grid of the whole box to predict")
                    ->type_name("N|NXxNYxNZ");
  command->add_option("--gpus", options->gpus, "Numbers of GPUs to predict")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(whole_number_from(1))
      ->needs(cells);
  command->add_option("--cut-y", options->cut_y, "Blocks along y (default: what is fastest)")
      ->type_name("N")
      ->check(whole_number_from(1))
      ->needs(cells);
  command->add_option("--halo", options->halo, "Backend (default: auto, the fastest)")
      ->type_name("NAME")
      ->needs(cells);
  command->add_option("--scheme", options->scheme, "Scheme (default: muscl)")
      ->type_name("NAME")
      ->needs(cells);
  command->add_option("--precision", options->precision, "double or single (default: double)")
      ->type_name("NAME")
      ->needs(cells);
  command->add_flag(
      "--json", options->as_json,
      "Print the machine file that the results make or, with --cells, the predictions, nothing else");
  command->callback([options] {
    if (options->gpus.empty()) options->gpus = {"1", "2", "4"};
    model(*options);
  });
}

}  // namespace tayra
