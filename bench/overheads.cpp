// `tayra bench overheads`, one page: what calls cost here, and what to do about it.
#include "bench/overheads.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/units.hpp"
#include "bench/benchmarks.hpp"
#include "bench/options.hpp"
#include "bench/results.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

struct OverheadsOptions {
  std::string device = "auto";
  OverheadPlan plan;
  FileOptions file;
};

Row row_of(const Overhead& overhead) {
  const auto& [what, variant, bytes, time] = overhead;
  const double rate = 1e-3 * static_cast<double>(bytes) / time.median;
  return Row()
      .add("what", what)
      .add("variant", variant)
      .add("bytes", bytes, bytes == 0 ? "-" : bytes_text(bytes))
      .add_time("us_per_call", time)
      .show(bytes == 0 ? "-" : fmt::format("{:.3g}", rate));
}

void bench_overheads(const OverheadsOptions& options) {
  const bool alone = ranks().size() == 1;
  const DeviceKind kind = alone || options.device != "auto" ? chosen_device(options.device) : DeviceKind::cpu;
  require(
      alone || kind == DeviceKind::cpu, ExitCode::bad_input,
      "bench overheads times GPUs from one process: start it without mpirun, or for messages between ranks "
      "with --device cpu");
  const int repeats = options.plan.measuring.repeats;
  Results results(options.file, "overheads", names_of_devices(kind), Json::object().set("repeats", repeats));
  results.start_table(fmt::format("us: median of {} samples of a call\n", repeats),
                      {left("what", 29), left("variant", 32), right("bytes", 7), right("us", 10),
                       right("least - most", 19), right("GB/s", 6)});
  std::vector<Overhead> measured;
  const auto add = [&](const Overhead& overhead) {
    measured.push_back(overhead);
    results.add(row_of(overhead));
  };
  measure_cpu_overheads(options.plan, add);
  if (kind == DeviceKind::cuda) measure_gpu_overheads(options.plan, add);
  results.write();
  print("\nOn this machine:\n");
  for (const std::string& line : advice_from(measured)) print("- " + line + "\n");
}

}  // namespace

void add_overheads_benchmark(CLI::App& group) {
  const auto options = std::make_shared<OverheadsOptions>();
  CLI::App* command = group.add_subcommand(
      "overheads", "Time copies, launches, waits and messages on this machine, and give advice");
  add_device(*command, options->device, "cpu or cuda (default: cuda where there is a GPU and no mpirun)");
  add_bytes(*command, "--most", options->plan.most_bytes, "Largest copy; sizes grow fourfold from 1 KiB");
  add_count(*command, "--repeats", options->plan.measuring.repeats, "Samples for each row");
  add_file_options(*command, options->file);
  command->callback([options] { bench_overheads(*options); });
}

}  // namespace tayra
