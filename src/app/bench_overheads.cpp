// One page: what calls cost here, and what to do about it.
#include "app/bench_overheads.hpp"

#include <fmt/format.h>

#include <memory>

#include "app/bench_file.hpp"
#include "app/bench_options.hpp"
#include "app/overheads.hpp"
#include "app/units.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

struct BenchOverheadsOptions {
  std::string device = "auto";
  OverheadPlan plan;
  BenchFileOptions file;
};

Json row(const Overhead& overhead) {
  return with_spread(
      Json::object().set("what", overhead.what).set("variant", overhead.variant).set("bytes", overhead.bytes),
      "us_per_call", overhead.microseconds);
}

std::string text(const Overhead& overhead) {
  const auto& [middle, least, most] = overhead.microseconds;
  return fmt::format(
      "{:<29}  {:<32}  {:>7}  {:>10.4g}  {:>19}  {:>6}\n", overhead.what, overhead.variant,
      overhead.bytes == 0 ? "-" : bytes_text(overhead.bytes), middle,
      fmt::format("{:.4g} - {:.4g}", least, most),
      overhead.bytes == 0 ? "-" : fmt::format("{:.3g}", 1e-3 * static_cast<double>(overhead.bytes) / middle));
}

void bench_overheads(const BenchOverheadsOptions& options) {
  const bool alone = ranks().size() == 1;
  const DeviceKind kind = alone || options.device != "auto" ? chosen_device(options.device) : DeviceKind::cpu;
  require(
      alone || kind == DeviceKind::cpu, ExitCode::bad_input,
      "bench overheads times GPUs from one process: start it without mpirun, or for messages between ranks "
      "with --device cpu");
  BenchFile file(options.file, "overheads", names_of_devices(kind),
                 Json::object().set("repeats", options.plan.measuring.repeats));
  show(fmt::format("us: median of {} samples of a call\n{:<29}  {:<32}  {:>7}  {:>10}  {:>19}  {:>6}\n",
                   options.plan.measuring.repeats, "what", "variant", "bytes", "us", "least - most", "GB/s"));
  std::vector<Overhead> measured;
  const auto add = [&](const Overhead& overhead) {
    measured.push_back(overhead);
    show(text(overhead));
    file.add(row(overhead));
  };
  measure_cpu_overheads(options.plan, add);
  if (kind == DeviceKind::cuda) measure_gpu_overheads(options.plan, add);
  file.write();
  show("\nOn this machine:\n");
  for (const std::string& line : advice_from(measured)) show("- " + line + "\n");
}

}  // namespace

void add_bench_overheads_command(CLI::App& group) {
  const auto options = std::make_shared<BenchOverheadsOptions>();
  CLI::App* command = group.add_subcommand(
      "overheads", "Time copies, launches, waits and messages on this machine, and give advice");
  command
      ->add_option("--device", options->device,
                   "cpu or cuda (default: cuda where there is a GPU and no mpirun)")
      ->type_name("NAME");
  add_bytes(*command, "--most", options->plan.most_bytes, "Largest copy; sizes grow fourfold from 1 KiB");
  add_count(*command, "--repeats", options->plan.measuring.repeats, "Samples for each row");
  add_bench_outputs(*command, options->file);
  command->callback([options] { bench_overheads(*options); });
}

}  // namespace tayra
