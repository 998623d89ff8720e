// Every way of moving bytes between neighbouring slabs, against the number of bytes: in one block, then in
// five.
#include "app/bench_transfer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "app/bench_exchange.hpp"
#include "app/bench_file.hpp"
#include "app/bench_options.hpp"
#include "app/units.hpp"
#include "core/error.hpp"
#include "grid/last_words.hpp"

namespace tayra {
namespace {

struct BenchTransferOptions {
  Words ways{"all"};
  std::uint64_t least = 1 << 10, most = 128 << 20;
  std::vector<int> blocks{1, 5};
  std::vector<int> pairs;
  Words directions{"one", "both"};
  ChainOptions chain;
  MeasuringPlan plan;
  BenchFileOptions file;
};

struct TransferCase {
  std::string way;
  EdgeShape shape;
  int pairs;
  std::string directions;
};

Json columns(const TransferCase& c) {
  return Json::object()
      .set("way", c.way)
      .set("bytes", c.shape.bytes)
      .set("blocks", c.shape.blocks)
      .set("pairs", c.pairs)
      .set("directions", c.directions);
}

std::string text(const TransferCase& c) {
  return fmt::format("{:<7}  {:>9}  {:>6}  {:>5}  {:<10}", c.way, bytes_text(c.shape.bytes), c.shape.blocks,
                     c.pairs, c.directions);
}

/// Those of 2, 4, 8 ... slabs, and of all.
std::vector<int> pair_counts(const std::vector<int>& asked, int all) {
  std::set<int> counts(asked.begin(), asked.end());
  if (asked.empty())
    for (int slabs = 2; slabs - 1 < all; slabs *= 2) counts.insert(slabs - 1);
  if (asked.empty()) counts.insert(all);
  require(*counts.rbegin() <= all, ExitCode::bad_input,
          fmt::format("--pairs {}: there are {} pairs of neighbouring slabs", *counts.rbegin(), all));
  return {counts.begin(), counts.end()};
}

/// What a put lands in has room for one block of an edge.
bool can_carry(const std::string& way, const EdgeShape& shape) { return way != "put" || shape.blocks == 1; }

void time_transfer(const TransferCase& c, const Exchange& exchange, const Placement& placement,
                   const MeasuringPlan& plan, BenchFile& file) {
  const auto halo = make_way(c.way, placement, exchange.site());
  const Spread time = microseconds_per_exchange(exchange, *halo, c.way, plan);
  const double rate = 1e-3 * static_cast<double>(c.shape.bytes) / time.median;
  show(fmt::format("{}  {:>10.4g}  {:>19}  {:>8.4g}  {}\n", text(c), time.median,
                   fmt::format("{:.4g} - {:.4g}", time.least, time.most), rate, halo->path()));
  file.add(
      with_spread(columns(c), "us_per_transfer", time).set("gb_per_second", rate).set("path", halo->path()));
}

void time_size(const EdgeShape& shape, const BenchTransferOptions& options, const Placement& placement,
               BenchFile& file) {
  Exchange exchange(placement, shape);
  for (const int pairs : pair_counts(options.pairs, neighbouring_pairs(placement)))
    for (const auto& directions : options.directions) {
      exchange.connect(pairs, directions == "one" ? Directions::one : Directions::both);
      for (const auto& way : options.ways) {
        const TransferCase c{way, shape, pairs, directions};
        if (can_carry(way, shape) && !file.has(columns(c)))
          time_transfer(c, exchange, placement, options.plan, file);
      }
    }
}

void bench_transfer(BenchTransferOptions options) {
  require_known("--directions", options.directions, {"one", "both"});
  require(
      options.least <= options.most, ExitCode::bad_input,
      fmt::format("--least {} is above --most {}: there is no size between", options.least, options.most));
  const DeviceKind kind = chosen_device(options.chain.device);
  const Placement placement = chain_of(options.chain, kind);
  options.ways = chosen_ways("--way", options.ways, placement);
  BenchFile file(
      options.file, "transfer", names_of_devices(kind),
      Json::object().set("slabs", neighbouring_pairs(placement) + 1).set("repeats", options.plan.repeats));
  show(fmt::format(
      "us: median of {} samples, of a send that the receiver knows to have arrived, many in a row\n"
      "GB/s: bytes (10^9) that one slab sends to one neighbour, over that time; every pair and direction at "
      "once\n"
      "{:<7}  {:>9}  {:>6}  {:>5}  {:<10}  {:>10}  {:>19}  {:>8}\n",
      options.plan.repeats, "way", "bytes", "blocks", "pairs", "directions", "us", "least - most", "GB/s"));
  const WarmWays warm(options.ways, placement);
  end_here_if_lost([&] {
    for (const int blocks : options.blocks)
      for (std::uint64_t bytes = options.least; bytes <= options.most; bytes *= 2)
        time_size({bytes, blocks}, options, placement, file);
    file.write();
  });
}

}  // namespace

void add_bench_transfer_command(CLI::App& group) {
  const auto options = std::make_shared<BenchTransferOptions>();
  CLI::App* command =
      group.add_subcommand("transfer", "Time each way of moving bytes between neighbouring devices, by size");
  const std::string ways = fmt::format("{}, or all (default)", fmt::join(way_names(), ", "));
  add_list(*command, "--way", options->ways, ways.c_str(), "NAME,...");
  add_bytes(*command, "--least", options->least, "Smallest transfer; sizes double");
  add_bytes(*command, "--most", options->most, "Largest transfer");
  command
      ->add_option("--blocks", options->blocks,
                   "Separate blocks that a transfer consists of, 1 to 64 (default: 1,5)")
      ->delimiter(',')
      ->check(CLI::Range(1, 64).description(""))
      ->type_name("N,...");
  add_counts(*command, "--pairs", options->pairs,
             "Pairs of neighbours that transfer at the same time (default: 1, 3, 7, ... and all)");
  add_list(*command, "--directions", options->directions,
           "one: to the upper neighbour, both: to each other (default: one,both)", "NAME,...");
  add_chain_options(*command, options->chain);
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_bench_file_options(*command, options->file);
  command->callback([options] { bench_transfer(*options); });
}

}  // namespace tayra
