#include "app/bench_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "app/bench_options.hpp"
#include "app/bench_stores.hpp"
#include "core/error.hpp"

namespace tayra {
namespace {

constexpr const char* stores = "stores";

// Of a slab's memory, one after the other.
enum Area { lower_ghosts, lower_edge, upper_edge, upper_ghosts, areas };

constexpr std::size_t alignment = 256;  // of blocks that lie apart
constexpr std::size_t word = sizeof(std::uint64_t);

/// What the edge of a slab holds; no two words of any edges are alike.
std::vector<std::uint64_t> pattern(int slab, Edge edge, std::size_t bytes) {
  std::vector<std::uint64_t> words((bytes + word - 1) / word);
  const std::uint64_t start = (2 * static_cast<std::uint64_t>(slab) + (edge == Edge::upper ? 1 : 0)) << 40;
#pragma omp parallel for
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = (start + i + 1) * 0x9e3779b97f4a7c15u;
  return words;
}

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

void add_chain_options(CLI::App& command, ChainOptions& options) {
  command.add_option("--device", options.device, "cpu or cuda (default: cuda where there is a GPU)")
      ->type_name("NAME");
  command.add_option("--slabs", options.slabs, "Slabs of a rank (default: one a GPU; 4 on the CPU)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

Placement chain_of(const ChainOptions& options, DeviceKind kind) {
  const int gpus = kind == DeviceKind::cuda ? static_cast<int>(cuda_devices().size()) : 4;
  SolverSettings settings;
  settings.device = kind;
  settings.slabs = options.slabs > 0 ? options.slabs : ranks().size() > 1 ? 1 : gpus;
  settings.gpus = std::min(settings.slabs, gpus);
  settings.grid.cells = {1, 1, settings.slabs * ranks().size()};
  require(settings.slabs * ranks().size() > 1, ExitCode::unavailable,
          "nothing travels with one GPU: use a machine with more, or put two slabs on it with --slabs 2");
  return place_slabs(settings);
}

int neighbouring_pairs(const Placement& placement) {
  return static_cast<int>(placement.rank_of_slab.size()) - 1;
}

Exchange::Exchange(const Placement& placement, const EdgeShape& shape)
    : placement_(placement), shape_(shape) {
  // Blocks that touched would be one block; the gap is as long as a block.
  const std::size_t stride = rounded_up((shape.blocks == 1 ? 1 : 2) * shape.bytes / shape.blocks + word);
  for (int block = 0; block < shape.blocks; ++block) block_starts_.push_back(block * stride);
  area_ = shape.blocks * stride;
  for (const Device& device : placement.devices)
    slabs_.push_back({Queue(device), Buffer<std::byte>(device, areas * area_)});
  fill_edges();
}

void Exchange::fill_edges() {
  for (std::size_t i = 0; i < slabs_.size(); ++i)
    for (const Edge edge : {Edge::lower, Edge::upper}) {
      const auto words = pattern(placement_.first_slab + static_cast<int>(i), edge, area_);
      std::byte* at = slabs_[i].field.data() + (edge == Edge::lower ? lower_edge : upper_edge) * area_;
      slabs_[i].queue.copy(at, words.data(), area_);
      slabs_[i].queue.synchronize();
    }
}

void Exchange::connect(int pairs, Directions directions) {
  plan_.moves.clear();
  for (int lower = 0; lower < pairs; ++lower) {
    add_moves(lower, lower + 1, Edge::upper);
    if (directions == Directions::both) add_moves(lower + 1, lower, Edge::lower);
  }
}

void Exchange::follow(const ExchangePlan& plan) {
  plan_.moves.clear();
  for (const Move& move : plan.moves) add_moves(move.source_slab, move.destination_slab, move.edge);
}

void Exchange::add_moves(int source_slab, int destination_slab, Edge edge) {
  const auto end_of = [&](int block) { return shape_.bytes * block / shape_.blocks / word * word; };
  const std::size_t source = area_ * (edge == Edge::upper ? upper_edge : lower_edge);
  const std::size_t destination = area_ * (edge == Edge::upper ? lower_ghosts : upper_ghosts);
  for (int block = 0; block < shape_.blocks; ++block)
    plan_.moves.push_back({source_slab, destination_slab, source + block_starts_[block],
                           destination + block_starts_[block], end_of(block + 1) - end_of(block), edge});
}

HaloSite Exchange::site() const {
  HaloSite site{plan_, placement_.rank_of_slab, placement_.first_slab, {}};
  // One field is enough: what is sent again and again is the same.
  for (const Slab& slab : slabs_) {
    std::byte* field = slab.field.data();
    site.slabs.push_back({{field, field, field}, slab.field.bytes(), &slab.queue});
  }
  return site;
}

void Exchange::synchronize() const {
  for (const Slab& slab : slabs_) slab.queue.synchronize();
}

std::byte* Exchange::ghosts(const Move& move) const {
  return slabs_[move.destination_slab - placement_.first_slab].field.data() + move.destination_offset;
}

void Exchange::poison() const {
  const std::vector<std::byte> rubbish(shape_.bytes, std::byte{0xee});
  for (const Move& move : plan_.moves) {
    if (!placement_.is_here(move.destination_slab)) continue;
    queue(move.destination_slab).copy(ghosts(move), rubbish.data(), move.bytes);
    queue(move.destination_slab).synchronize();
  }
}

void Exchange::require_arrived(const std::string& way) const {
  std::vector<std::byte> arrived(shape_.bytes);
  for (const Move& move : plan_.moves) {
    if (!placement_.is_here(move.destination_slab)) continue;
    queue(move.destination_slab).copy(arrived.data(), ghosts(move), move.bytes);
    queue(move.destination_slab).synchronize();
    const std::size_t edge_start = (move.edge == Edge::lower ? lower_edge : upper_edge) * area_;
    const auto sent = pattern(move.source_slab, move.edge, area_);
    const auto* expected =
        reinterpret_cast<const std::byte*>(sent.data()) + (move.source_offset - edge_start);
    require(std::memcmp(arrived.data(), expected, move.bytes) == 0, ExitCode::failed,
            fmt::format("{} has not carried {} bytes from slab {} to slab {} as they were: its times mean "
                        "nothing",
                        way, move.bytes, move.source_slab, move.destination_slab));
  }
}

std::vector<std::string> ways_of(const Placement& placement) {
  std::vector<std::string> ways;
  for (const HaloBackend* backend : available_halos(placement.halo_place()))
    ways.push_back(backend->name == "direct" ? stores : backend->name);
  return ways;
}

std::vector<std::string> chosen_ways(const std::string& option, const std::vector<std::string>& asked,
                                     const Placement& placement) {
  require_known(option, asked, {"host", "uva", "p2p", stores, "mpi", "nccl", "put", "all"});
  const bool all = std::find(asked.begin(), asked.end(), "all") != asked.end();
  return all ? ways_of(placement) : asked;
}

std::unique_ptr<Halo> make_way(const std::string& way, const Placement& placement, HaloSite site) {
  const HaloBackend& backend = require_halo(way == stores ? "direct" : way, placement.halo_place());
  return way == stores ? make_stores_halo(std::move(site)) : backend.parts.make(std::move(site));
}

WarmWays::WarmWays(const std::vector<std::string>& ways, const Placement& placement)
    : exchange_(placement, {.bytes = 1024}) {
  exchange_.connect(neighbouring_pairs(placement), Directions::both);
  for (const auto& way : ways) halos_.push_back(make_way(way, placement, exchange_.site()));
}

Spread microseconds_per_exchange(const Exchange& exchange, Halo& halo, const std::string& way,
                                 const MeasuringPlan& plan) {
  const auto batch = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const int field = i % rotating_fields;
      halo.send(field);
      halo.wait(field);
    }
    exchange.synchronize();
    halo.check();
  };
  const Spread spread = microseconds_per_call(plan, batch);
  exchange.poison();
  ranks().gather_values(0);  // a neighbour must not send before
  batch(1);
  exchange.require_arrived(way);
  return spread;
}

}  // namespace tayra
