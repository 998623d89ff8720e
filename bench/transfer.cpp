// `tayra bench transfer`: every way of moving bytes between neighbouring slabs, against the number of bytes,
// in one block and in five.
#include <fmt/format.h>

#include <memory>
#include <set>

#include "app/units.hpp"
#include "bench/benchmarks.hpp"
#include "bench/exchange.hpp"
#include "bench/options.hpp"
#include "bench/results.hpp"
#include "core/error.hpp"
#include "grid/together.hpp"

namespace tayra {
namespace {

struct TransferOptions {
  Words ways{"all"};
  std::uint64_t least = 1 << 10, most = 128 << 20;
  std::vector<int> blocks{1, 5};
  std::vector<int> pairs;
  Words directions{"one", "both"};
  ChainOptions chain;
  MeasuringPlan plan;
  FileOptions file;
};

/// Those of 2, 4, 8 ... slabs, and of all.
std::set<int> pair_counts(const std::vector<int>& asked, int all) {
  std::set<int> counts(asked.begin(), asked.end());
  if (asked.empty()) {
    for (int slabs = 2; slabs - 1 < all; slabs *= 2) counts.insert(slabs - 1);
    counts.insert(all);
  }
  require(*counts.rbegin() <= all, ExitCode::bad_input,
          fmt::format("--pairs {}: there are {} pairs of neighbouring slabs", *counts.rbegin(), all));
  return counts;
}

/// What a put lands in has room for one block of an edge.
bool can_carry(const std::string& way, const EdgeShape& shape) { return way != "put" || shape.blocks == 1; }

void time_size(const EdgeShape& shape, const TransferOptions& options, const Placement& placement,
               Results& results) {
  Exchange exchange(placement, shape);
  for (const int pairs : pair_counts(options.pairs, neighbouring_pairs(placement)))
    for (const auto& directions : options.directions) {
      exchange.connect(pairs, directions == "one" ? Directions::one : Directions::both);
      for (const auto& way : options.ways) {
        Row row;
        row.add("way", way).add("bytes", shape.bytes, bytes_text(shape.bytes)).add("blocks", shape.blocks);
        row.add("pairs", pairs).add("directions", directions);
        if (!can_carry(way, shape) || results.has(row)) continue;
        const auto halo = make_way(way, placement, exchange.site());
        const Spread time = microseconds_per_exchange(exchange, *halo, way, options.plan);
        const double rate = 1e-3 * static_cast<double>(shape.bytes) / time.median;
        row.add_time("us_per_transfer", time).add_rounded("gb_per_second", rate);
        results.add(row.add("path", halo->traits().path));
      }
    }
}

void bench_transfer(TransferOptions options) {
  require_known("--directions", options.directions, {"one", "both"});
  require(
      options.least <= options.most, ExitCode::bad_input,
      fmt::format("--least {} is above --most {}: there is no size between", options.least, options.most));
  const DeviceKind kind = chosen_device(options.chain.device);
  const Placement placement = chain_of(options.chain, kind);
  options.ways = chosen_ways("--way", options.ways, placement);
  Results results(
      options.file, "transfer", names_of_devices(kind),
      Json::object().set("slabs", neighbouring_pairs(placement) + 1).set("repeats", options.plan.repeats));
  results.start_table(
      fmt::format(
          "us: median of {} samples, of a send that the receiver knows to have arrived, many in a row\n"
          "GB/s: bytes (10^9) that one slab sends to one neighbour, over that time; every pair and direction "
          "at "
          "once\n",
          options.plan.repeats),
      {left("way", 7), right("bytes", 9), right("blocks", 6), right("pairs", 5), left("directions", 10),
       right("us", 10), right("least - most", 19), right("GB/s", 8)});
  const WarmWays warm(options.ways, placement);
  end_here_unless_all_fail([&] {
    for (const int blocks : options.blocks)
      for (std::uint64_t bytes = options.least; bytes <= options.most; bytes *= 2)
        time_size({bytes, blocks}, options, placement, results);
    results.write();
  });
}

}  // namespace

void add_transfer_benchmark(CLI::App& group) {
  const auto options = std::make_shared<TransferOptions>();
  CLI::App* command =
      group.add_subcommand("transfer", "Time each way of moving bytes between neighbouring devices, by size");
  add_ways(*command, options->ways);
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
           "one: to the upper neighbour, both: to each other (default: one,both)");
  add_chain_options(*command, options->chain);
  add_count(*command, "--repeats", options->plan.repeats, "Samples for each row");
  add_resumable_file_options(*command, options->file);
  command->callback([options] { bench_transfer(*options); });
}

}  // namespace tayra
