// `tayra bench cadence`: whether a transfer that comes after a pause takes longer, and whether small ones in
// between keep the way awake. The experience with 1,024 GPUs is that transfers more than some 10 ms apart are
// slow.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "app/units.hpp"
#include "bench/benchmarks.hpp"
#include "bench/exchange.hpp"
#include "bench/options.hpp"
#include "bench/results.hpp"
#include "core/error.hpp"

namespace tayra {
namespace {

using WallClock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr Milliseconds keep_alive_period(1);

struct CadenceOptions {
  Words ways{"all"};
  std::uint64_t bytes = 2560 << 10;
  std::vector<double> intervals;  // milliseconds
  ChainOptions chain;
  int repeats = 20;
  double seconds = 3;  // a row
  FileOptions file;
};

/// A halo between two slabs, and a small one beside it.
class Traffic {
 public:
  Traffic(const std::string& way, const Placement& placement, std::size_t bytes)
      : large_(placement, {.bytes = bytes}), small_(placement, {.bytes = 1024}) {
    for (Exchange* exchange : {&large_, &small_}) exchange->connect(1, Directions::both);
    large_halo_ = make_way(way, placement, large_.site());
    small_halo_ = make_way(way, placement, small_.site());
  }

  void transfer() { send(*large_halo_, large_); }

  /// The host waits busily: what is to fall asleep here is the way, not the processor.
  void pause(Milliseconds interval, bool keep_alive) {
    const auto start = WallClock::now();
    auto next = start + keep_alive_period;
    while (WallClock::now() - start < interval) {
      if (!keep_alive || WallClock::now() < next) continue;
      send(*small_halo_, small_);
      next = WallClock::now() + keep_alive_period;
    }
  }

  void check(const std::string& way) {
    large_.poison();
    ranks().gather_values(0);  // a neighbour must not send before
    transfer();
    large_.require_arrived(way);
  }

 private:
  static void send(Transport& halo, const Exchange& exchange) {
    halo.start(0);
    halo.finish(0);
    exchange.synchronize();
  }

  Exchange large_, small_;
  std::unique_ptr<Transport> large_halo_, small_halo_;
};

/// Half decades.
std::vector<double> default_intervals() {
  std::vector<double> intervals;
  for (double half = -4; half <= 6; ++half)
    intervals.push_back(std::stod(fmt::format("{:.1g}", std::pow(10., half / 2))));
  return intervals;
}

/// The first transfer is thrown away.
Spread time_cadence(Traffic& traffic, double interval, bool keep_alive, const CadenceOptions& options) {
  const double fitting = std::max(3., 1e3 * options.seconds / interval);
  const int repeats = static_cast<int>(std::min<double>(fitting, options.repeats));
  std::vector<double> samples;
  for (int i = 0; i <= repeats; ++i) {
    traffic.pause(Milliseconds(interval), keep_alive);
    const auto start = WallClock::now();
    traffic.transfer();
    const Milliseconds elapsed = WallClock::now() - start;
    if (i > 0) samples.push_back(1e3 * elapsed.count());
  }
  return spread_of(samples);
}

void time_way(const std::string& way, const CadenceOptions& options, const Placement& placement,
              Results& results) {
  Traffic traffic(way, placement, options.bytes);
  for (const double interval : options.intervals)
    for (const bool keep_alive : {false, true}) {
      if (keep_alive && Milliseconds(interval) <= keep_alive_period) continue;  // none would come in between
      Row row;
      row.add("way", way).add("bytes", options.bytes, bytes_text(options.bytes)).add("interval_ms", interval);
      row.add("keep_alive", keep_alive, keep_alive ? "yes" : "no");
      if (results.has(row)) continue;
      results.add(row.add_time("us_per_transfer", time_cadence(traffic, interval, keep_alive, options)));
    }
  traffic.check(way);
}

void bench_cadence(CadenceOptions options) {
  require(ranks().size() == 1, ExitCode::bad_input,
          "bench cadence drives both ends from one process: start it without mpirun");
  const DeviceKind kind = chosen_device(options.chain.device);
  const Placement placement = chain_of(options.chain, kind);
  options.ways = chosen_ways("--way", options.ways, placement);
  if (options.intervals.empty()) options.intervals = default_intervals();
  Results results(options.file, "cadence", names_of_devices(kind),
                  Json::object()
                      .set("keep_alive_period_ms", keep_alive_period.count())
                      .set("repeats", options.repeats)
                      .set("seconds", options.seconds));
  results.start_table(
      fmt::format(
          "us: median of up to {} transfers each way between two slabs, by the host's clock, each after a "
          "pause\n",
          options.repeats),
      {left("way", 7), right("bytes", 9), right("interval ms", 11), left("keep-alive", 10), right("us", 10),
       right("least - most", 19)});
  for (const auto& way : options.ways) time_way(way, options, placement, results);
  results.write();
}

}  // namespace

void add_cadence_benchmark(CLI::App& group) {
  const auto options = std::make_shared<CadenceOptions>();
  CLI::App* command =
      group.add_subcommand("cadence", "Time transfers that follow pauses of different lengths");
  add_ways(*command, options->ways);
  add_bytes(*command, "--bytes", options->bytes, "Size of a transfer");
  command
      ->add_option("--interval", options->intervals,
                   "Pauses in ms (default: 0.01 to 1000, two for each decade)")
      ->delimiter(',')
      ->check(number_above_zero())
      ->type_name("MS,...");
  add_chain_options(*command, options->chain);
  add_count(*command, "--repeats", options->repeats, "Greatest number of transfers in a row of the table");
  command
      ->add_option("--seconds", options->seconds,
                   "Duration of each row of the table; at least 3 transfers are made")
      ->capture_default_str()
      ->check(number_above_zero())
      ->type_name("S");
  add_resumable_file_options(*command, options->file);
  command->callback([options] { bench_cadence(*options); });
}

}  // namespace tayra
