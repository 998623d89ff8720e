// Whether a transfer that comes after a pause takes longer, and whether small ones in between keep the way
// awake: the experience with 1,024 GPUs that transfers more than some 10 ms apart are slow.
#include "app/bench_cadence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/bench_exchange.hpp"
#include "app/bench_file.hpp"
#include "app/bench_options.hpp"
#include "app/option_checks.hpp"
#include "app/units.hpp"
#include "core/error.hpp"

namespace tayra {
namespace {

using WallClock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr Milliseconds keep_alive_period(1);

struct BenchCadenceOptions {
  Words ways{"all"};
  std::uint64_t bytes = 2560 << 10;
  std::vector<double> intervals;  // milliseconds
  ChainOptions chain;
  int repeats = 20;
  double seconds = 3;  // a row
  BenchFileOptions file;
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
  static void send(Halo& halo, const Exchange& exchange) {
    halo.send(0);
    halo.wait(0);
    exchange.synchronize();
    halo.check();
  }

  Exchange large_, small_;
  std::unique_ptr<Halo> large_halo_, small_halo_;
};

/// Half decades.
std::vector<double> default_intervals() {
  std::vector<double> intervals;
  for (double half = -4; half <= 6; ++half)
    intervals.push_back(std::stod(fmt::format("{:.1g}", std::pow(10., half / 2))));
  return intervals;
}

struct CadenceCase {
  std::string way;
  std::uint64_t bytes;
  double interval_ms;
  bool keep_alive;
};

Json columns(const CadenceCase& c) {
  return Json::object()
      .set("way", c.way)
      .set("bytes", c.bytes)
      .set("interval_ms", c.interval_ms)
      .set("keep_alive", c.keep_alive);
}

/// The first one is thrown away.
Spread time_cadence(Traffic& traffic, const CadenceCase& c, const BenchCadenceOptions& options) {
  const double fitting = std::max(3., 1e3 * options.seconds / c.interval_ms);
  const int repeats = static_cast<int>(std::min<double>(fitting, options.repeats));
  std::vector<double> samples;
  for (int i = 0; i <= repeats; ++i) {
    traffic.pause(Milliseconds(c.interval_ms), c.keep_alive);
    const auto start = WallClock::now();
    traffic.transfer();
    const Milliseconds elapsed = WallClock::now() - start;
    if (i > 0) samples.push_back(1e3 * elapsed.count());
  }
  return spread_of(samples);
}

void time_way(const std::string& way, const BenchCadenceOptions& options, const Placement& placement,
              BenchFile& file) {
  Traffic traffic(way, placement, options.bytes);
  for (const double interval : options.intervals)
    for (const bool keep_alive : {false, true}) {
      const CadenceCase c{way, options.bytes, interval, keep_alive};
      if (keep_alive && Milliseconds(interval) <= keep_alive_period) continue;  // none would come in between
      if (file.has(columns(c))) continue;
      const Spread time = time_cadence(traffic, c, options);
      show(fmt::format("{:<7}  {:>9}  {:>11}  {:<10}  {:>10.4g}  {:>19}\n", way, bytes_text(options.bytes),
                       interval, keep_alive ? "yes" : "no", time.median,
                       fmt::format("{:.4g} - {:.4g}", time.least, time.most)));
      file.add(with_spread(columns(c), "us_per_transfer", time));
    }
  traffic.check(way);
}

void bench_cadence(BenchCadenceOptions options) {
  require(ranks().size() == 1, ExitCode::bad_input,
          "bench cadence drives both ends from one process: start it without mpirun");
  const DeviceKind kind = chosen_device(options.chain.device);
  const Placement placement = chain_of(options.chain, kind);
  options.ways = chosen_ways("--way", options.ways, placement);
  if (options.intervals.empty()) options.intervals = default_intervals();
  BenchFile file(options.file, "cadence", names_of_devices(kind),
                 Json::object()
                     .set("keep_alive_period_ms", keep_alive_period.count())
                     .set("repeats", options.repeats)
                     .set("seconds", options.seconds));
  show(fmt::format(
      "us: median of up to {} transfers each way between two slabs, by the host's clock, each after a pause\n"
      "{:<7}  {:>9}  {:>11}  {:<10}  {:>10}  {:>19}\n",
      options.repeats, "way", "bytes", "interval ms", "keep-alive", "us", "least - most"));
  for (const auto& way : options.ways) time_way(way, options, placement, file);
  file.write();
}

}  // namespace

void add_bench_cadence_command(CLI::App& group) {
  const auto options = std::make_shared<BenchCadenceOptions>();
  CLI::App* command =
      group.add_subcommand("cadence", "Time transfers that follow pauses of different lengths");
  const std::string ways = fmt::format("{}, or all (default)", fmt::join(way_names(), ", "));
  add_list(*command, "--way", options->ways, ways.c_str(), "NAME,...");
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
  add_bench_file_options(*command, options->file);
  command->callback([options] { bench_cadence(*options); });
}

}  // namespace tayra
