// The columns of the table and of the rows, from the same timings.
#include "app/bench_step_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/bench_file.hpp"
#include "app/units.hpp"
#include "solver/memory_needs.hpp"

namespace tayra {
namespace {

std::string case_columns(const SolverSettings& settings) {
  return fmt::format("{:<8}  {:<9}  {:<10}  {:<15}", settings.scheme, name_of(settings.precision),
                     settings.positivity ? "on" : "off",
                     fmt::format("{}", fmt::join(settings.grid.cells, "x")));
}

double share_of_bound(const StepTiming& timing, double copy_bandwidth) {
  return timing.bytes_per_second() / copy_bandwidth;
}

}  // namespace

std::string heading(const StepBenchmark& benchmark) {
  return fmt::format(
      "{}\n"
      "copy bandwidth {:.4g} GB/s, bytes read and written; the bound of a step is that over bytes per "
      "cell-step\n"
      "ms/step: median of {} samples of {} steps, their least and most\n",
      benchmark.device, 1e-9 * benchmark.copy_bandwidth, benchmark.plan.repeats, benchmark.plan.steps);
}

std::string table_header() {
  return fmt::format("{:<8}  {:<9}  {:<10}  {:<15}  {:>9}  {:>19}  {:>12}  {:>11}  {:>7}  {:>8}\n", "scheme",
                     "precision", "positivity", "grid", "ms/step", "least - most", "cell-steps/s",
                     "B/cell-step", "GB/s", "of bound");
}

std::string table_row(const StepTiming& timing, double copy_bandwidth) {
  const auto& [median, least, most] = timing.milliseconds;
  return fmt::format("{}  {:>9.4g}  {:>19}  {:>12.3e}  {:>11}  {:>7.4g}  {:>6.1f} %\n",
                     case_columns(timing.settings), median, fmt::format("{:.4g} - {:.4g}", least, most),
                     timing.cell_steps_per_second(), bytes_per_cell_step(timing.settings.precision),
                     1e-9 * timing.bytes_per_second(), 100 * share_of_bound(timing, copy_bandwidth));
}

std::string skipped_row(const SolverSettings& settings) {
  return fmt::format("{}  skipped: needs {} of memory, {} are free\n", case_columns(settings),
                     bytes_text(memory_needed(settings)), bytes_text(memory_available(settings)));
}

Json case_json(const SolverSettings& settings) {
  Json json = Json::object();
  json.set("scheme", settings.scheme);
  json.set("precision", name_of(settings.precision));
  json.set("positivity", settings.positivity);
  json.set("cells", std::vector<int>(settings.grid.cells.begin(), settings.grid.cells.end()));
  json.set("slabs", settings.slabs);
  return json;
}

Json row_json(const StepTiming& timing, double copy_bandwidth) {
  Json json = with_spread(case_json(timing.settings), "ms_per_step", timing.milliseconds);
  json.set("cell_steps_per_second", timing.cell_steps_per_second());
  json.set("bytes_per_cell_step", bytes_per_cell_step(timing.settings.precision));
  json.set("gb_per_second", 1e-9 * timing.bytes_per_second());
  json.set("copy_gb_per_second", 1e-9 * copy_bandwidth);
  json.set("share_of_bound", share_of_bound(timing, copy_bandwidth));
  return json;
}

}  // namespace tayra
