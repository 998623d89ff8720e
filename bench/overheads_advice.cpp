// What follows from the calls measured: a sentence each, where the rows it compares are there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/units.hpp"
#include "bench/overheads.hpp"

namespace tayra {
namespace {

using Overheads = std::vector<Overhead>;
using Lines = std::vector<std::string>;

Overheads rows_of(const Overheads& measured, const std::string& what, const std::string& variant = "") {
  Overheads rows;
  for (const Overhead& row : measured)
    if (row.what == what && (variant.empty() || row.variant == variant)) rows.push_back(row);
  return rows;
}

double median(const Overhead& row) { return row.microseconds.median; }

bool is_faster(const Overhead& a, const Overhead& b) { return median(a) < median(b); }

/// The smallest size from which on `better` is always faster than `worse`; none: never.
std::uint64_t pays_from(const Overheads& better, const Overheads& worse) {
  std::uint64_t from = 0;
  for (std::size_t i = std::min(better.size(), worse.size()); i-- > 0;) {
    if (!is_faster(better[i], worse[i])) break;
    from = better[i].bytes;
  }
  return from;
}

double gb_per_second(const Overhead& row) { return 1e-3 * static_cast<double>(row.bytes) / median(row); }

/// "A pays from SIZE on: X GB/s instead of Y at the largest".
void compare_sizes(Lines& lines, const std::string& name, const Overheads& better, const Overheads& worse) {
  if (better.empty() || worse.empty()) return;
  const std::uint64_t from = pays_from(better, worse);
  lines.push_back(from == 0 ? fmt::format("{} does not pay at {}", name, bytes_text(better.back().bytes))
                            : fmt::format("{} pays from {} on: {:.3g} instead of {:.3g} GB/s at {}", name,
                                          bytes_text(from), gb_per_second(better.back()),
                                          gb_per_second(worse.back()), bytes_text(better.back().bytes)));
}

void advise_on_pinned(Lines& lines, const Overheads& measured) {
  const auto pinned = rows_of(measured, "copy_to_gpu", "pinned");
  const auto pageable = rows_of(measured, "copy_to_gpu", "pageable");
  const auto fresh = rows_of(measured, "copy_to_gpu", "pinned, allocated each time");
  compare_sizes(lines, "pinned memory that is reused", pinned, pageable);
  if (fresh.empty() || pinned.empty() || pageable.empty()) return;
  const double saved = median(pageable.back()) - median(pinned.back());
  const double cost = median(fresh.back()) - median(pinned.back());
  if (saved > 0)
    lines.push_back(fmt::format(
        "pinning {} costs {:.3g} us: reuse it at least {:.0f} times, or copy from pageable memory",
        bytes_text(fresh.back().bytes), cost, std::max(1., std::ceil(cost / saved))));
}

void advise_on_waiting(Lines& lines, const Overheads& measured) {
  const auto ways = rows_of(measured, "launch_and_synchronize_stream");
  if (ways.empty()) return;
  const auto best = std::min_element(ways.begin(), ways.end(), is_faster);
  std::string all;
  for (const Overhead& way : ways)
    all += fmt::format("{}{} {:.3g} us", all.empty() ? "" : ", ", way.variant, median(way));
  lines.push_back(fmt::format("wait for the GPU by {} ({} with a launch); blocking leaves the core to others",
                              best->variant, all));
}

void advise_on_launches(Lines& lines, const Overheads& measured) {
  const auto launch = rows_of(measured, "launch", "one after the other");
  const auto node = rows_of(measured, "graph_launch", "100 nodes, each");
  if (launch.empty() || node.empty()) return;
  lines.push_back(
      fmt::format("{}: a node costs {:.2g} us, a launch {:.2g} us",
                  is_faster(node.front(), launch.front()) ? "record steps as graphs" : "graphs save nothing",
                  median(node.front()), median(launch.front())));
}

void advise_on_nodes(Lines& lines, const Overheads& measured) {
  const auto copies = rows_of(measured, "copy_from_numa_node");
  if (copies.size() < 2) return;
  const auto [best, worst] = std::minmax_element(copies.begin(), copies.end(), is_faster);
  const double ratio = median(*worst) / median(*best);
  lines.push_back(
      ratio > 1.05
          ? fmt::format("bind processes to the NUMA node of their GPU: {} is {:.2f} times as fast as {}",
                        best->variant, ratio, worst->variant)
          : fmt::format("NUMA nodes make no difference to copies (at most {:.0f} %)", 100 * (ratio - 1)));
}

void advise_on_processor(Lines& lines, const Overheads& measured) {
  compare_sizes(lines, "reusing host memory", rows_of(measured, "memory_copy", "memory reused"),
                rows_of(measured, "memory_copy", "memory allocated each time"));
  const auto sleeping = rows_of(measured, "thread_wake", "sleeping on a condition variable");
  const auto yielding = rows_of(measured, "thread_wake", "yielding");
  if (!sleeping.empty() && !yielding.empty())
    lines.push_back(
        is_faster(yielding.front(), sleeping.front())
            ? fmt::format("threads that yield wake {:.3g} times as fast as those that sleep ({:.3g} us)",
                          median(sleeping.front()) / median(yielding.front()), median(sleeping.front()))
            : fmt::format("let threads sleep: they wake in {:.3g} us, and yielding is no faster",
                          median(sleeping.front())));
  const auto messages = rows_of(measured, "mpi_message");
  if (!messages.empty())
    lines.push_back(fmt::format(
        "an MPI message takes {:.3g} us and moves {:.3g} GB/s at {}: below {} its start counts more than its "
        "bytes",
        median(messages.front()), gb_per_second(messages.back()), bytes_text(messages.back().bytes),
        bytes_text(
            static_cast<std::uint64_t>(1e3 * median(messages.front()) * gb_per_second(messages.back())))));
}

}  // namespace

std::vector<std::string> advice_from(const std::vector<Overhead>& measured) {
  Lines lines;
  advise_on_pinned(lines, measured);
  compare_sizes(lines, "peer access", rows_of(measured, "copy_to_peer", "peer access on"),
                rows_of(measured, "copy_to_peer", "peer access off"));
  advise_on_nodes(lines, measured);
  advise_on_waiting(lines, measured);
  advise_on_launches(lines, measured);
  advise_on_processor(lines, measured);
  return lines;
}

}  // namespace tayra
