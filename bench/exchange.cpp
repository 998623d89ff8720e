// Edges filled with words of which no two are alike, so that what arrived wrong or not at all shows.
#include "bench/exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "app/options.hpp"
#include "bench/options.hpp"
#include "bench/stores.hpp"
#include "core/error.hpp"
#include "grid/together.hpp"

namespace tayra {
namespace {

constexpr const char* stores = "stores";

// Of a slab's memory, one after the other.
enum Area { lower_ghosts, lower_edge, upper_edge, upper_ghosts, areas };

constexpr std::size_t alignment = 256;  // of blocks that lie apart
constexpr std::size_t word = sizeof(std::uint64_t);

/// What the edge of a slab holds, word by word; no two of any edges are alike.
class Pattern {
 public:
  Pattern(int slab, Edge edge) : start_((edges * static_cast<std::uint64_t>(slab) + number_of(edge)) << 40) {}
  std::uint64_t operator[](std::size_t i) const { return (start_ + i + 1) * 0x9e3779b97f4a7c15u; }

 private:
  std::uint64_t start_;
};

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

void add_chain_options(CLI::App& command, ChainOptions& options) {
  add_device(command, options.device);
  command
      .add_option("--slabs", options.slabs,
                  "Slabs for each rank (default: one for each GPU; on the CPU 4, with several ranks 1)")
      ->check(whole_number_from(1))
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
  use_device(placement.devices.front());  // MPI and its like work on the current GPU
  require(shape.bytes % word == 0, ExitCode::bad_input,
          fmt::format("{} bytes can't be sent: take a multiple of {}", shape.bytes, word));
  // Blocks that touched would be one block; the gap is as long as a block.
  const std::size_t stride = rounded_up((shape.blocks == 1 ? 1 : 2) * shape.bytes / shape.blocks + word);
  for (int block = 0; block < shape.blocks; ++block) block_starts_.push_back(block * stride);
  area_ = shape.blocks * stride;
  scratch_ = std::make_unique_for_overwrite<std::uint64_t[]>(area_ / word);
  for (const Device& device : placement.devices)
    slabs_.push_back({Queue(device), Buffer<std::byte>(device, areas * area_)});
  fill_edges();
}

void Exchange::fill_edges() {
  for (std::size_t i = 0; i < slabs_.size(); ++i)
    for (const Edge edge : {Edge::lower, Edge::upper}) {
      const Pattern pattern(placement_.first_slab + static_cast<int>(i), edge);
#pragma omp parallel for
      for (std::size_t at = 0; at < area_ / word; ++at) scratch_[at] = pattern[at];
      slabs_[i].queue.copy(slabs_[i].field.data() + edge_start(edge), scratch_.get(), area_);
      slabs_[i].queue.synchronize();
    }
}

Exchange::Exchange(const Placement& placement, const SolverSettings& box)
    : placement_(placement), plan_(exchange_plan(box)) {
  use_device(placement.devices.front());
  const Move& longest = std::ranges::max(plan_.row_moves, {}, &Move::bytes);
  scratch_ = std::make_unique_for_overwrite<std::uint64_t[]>(longest.bytes * longest.pieces / word);
  const int planes = box.grid.cells[2];
  for (std::size_t i = 0; i < placement.devices.size(); ++i) {
    const PlannedSlab slab = planned_slab(box, planes, placement.rows[placement.first_slab + i]);
    const std::size_t bytes = (planes + 2 * ghost_planes) * slab.plane_bytes + row_block_bytes(box, planes);
    slabs_.push_back({Queue(placement.devices[i]), Buffer<std::byte>(placement.devices[i], bytes)});
  }
  for (const Move& move : plan_.row_moves) {
    passages_.push_back({move});
    if (placement_.is_here(move.source_slab)) fill_rows(move);
  }
}

void Exchange::fill_rows(const Move& rows) {
  const Pattern pattern(rows.source_slab, rows.edge);
  const std::size_t words = rows.bytes * rows.pieces / word;
#pragma omp parallel for
  for (std::size_t i = 0; i < words; ++i) scratch_[i] = pattern[i];
  queue(rows.source_slab)
      .copy_pieces(field(rows.source_slab) + rows.source_offset, rows.source_apart, scratch_.get(),
                   rows.bytes, rows.bytes, rows.pieces);
  queue(rows.source_slab).synchronize();
}

std::size_t Exchange::edge_start(Edge edge) const {
  return area_ * (edge == Edge::upper ? upper_edge : lower_edge);
}

void Exchange::connect(int pairs, Directions directions) {
  plan_ = {};
  passages_.clear();
  for (int lower = 0; lower < pairs; ++lower) {
    add_moves(lower, lower + 1, Edge::upper);
    if (directions == Directions::both) add_moves(lower + 1, lower, Edge::lower);
  }
}

void Exchange::follow(const ExchangePlan& plan) {
  plan_ = {};
  passages_.clear();
  for (const Move& move : plan.moves) add_moves(move.source_slab, move.destination_slab, move.edge);
}

void Exchange::add_moves(int source_slab, int destination_slab, Edge edge) {
  const auto end_of = [&](int block) { return shape_.bytes * block / shape_.blocks / word * word; };
  const std::size_t source = edge_start(edge);
  const std::size_t destination = area_ * (edge == Edge::upper ? lower_ghosts : upper_ghosts);
  for (int block = 0; block < shape_.blocks; ++block) {
    const std::size_t start = block_starts_[block], bytes = end_of(block + 1) - end_of(block);
    const Move move{source_slab, destination_slab, source + start, destination + start, bytes, edge};
    plan_.add(move);
    passages_.push_back({move, start / word});
  }
}

HaloSite Exchange::site() const {
  HaloSite site{plan_.of_rank(placement_.rank_of_slab, ranks().rank()),
                placement_.rank_of_slab,
                placement_.first_slab,
                {}};
  // One field is enough: what is sent again and again is the same.
  for (const Slab& slab : slabs_) {
    std::byte* field = slab.field.data();
    site.slabs.push_back({{field, field, field}, &slab.queue});
  }
  return site;
}

void Exchange::synchronize() const {
  for (const Slab& slab : slabs_) await_done(slab.queue);
}

std::byte* Exchange::ghosts(const Move& move) const {
  return field(move.destination_slab) + move.destination_offset;
}

void Exchange::poison() const {
  for (const auto& [move, first_word] : passages_) {
    if (!placement_.is_here(move.destination_slab)) continue;
    const Queue& queue = this->queue(move.destination_slab);
    std::memset(scratch_.get(), 0xee, move.bytes * move.pieces);
    queue.copy_pieces(ghosts(move), move.destination_apart, scratch_.get(), move.bytes, move.bytes,
                      move.pieces);
    queue.synchronize();
  }
}

void Exchange::require_arrived(const std::string& way) const {
  for (const auto& [move, first_word] : passages_) {
    if (!placement_.is_here(move.destination_slab)) continue;
    const Queue& queue = this->queue(move.destination_slab);
    queue.copy_pieces(scratch_.get(), move.bytes, ghosts(move), move.destination_apart, move.bytes,
                      move.pieces);
    queue.synchronize();
    const Pattern sent(move.source_slab, move.edge);
    const std::size_t words = move.bytes * move.pieces / word;
    std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (std::size_t i = 0; i < words; ++i) wrong += scratch_[i] != sent[first_word + i] ? 1 : 0;
    require(wrong == 0, ExitCode::failed,
            fmt::format("{} has spoilt {} of {} words from slab {} to slab {}: its times mean nothing", way,
                        wrong, words, move.source_slab, move.destination_slab));
  }
}

std::vector<std::string> way_names() {
  std::vector<std::string> names = halo_names();
  std::replace(names.begin(), names.end(), std::string("direct"), std::string(stores));
  return names;
}

std::vector<std::string> ways_of(const Placement& placement) {
  std::vector<std::string> ways;
  for (const HaloBackend* backend : available_halos(placement.halo_place()))
    ways.push_back(backend->name == "direct" ? stores : backend->name);
  return ways;
}

std::vector<std::string> chosen_ways(const std::string& option, const std::vector<std::string>& asked,
                                     const Placement& placement) {
  require_known(option, asked, names_and_all(way_names()));
  const bool all = std::find(asked.begin(), asked.end(), "all") != asked.end();
  return all ? ways_of(placement) : asked;
}

void add_ways(CLI::App& command, std::vector<std::string>& ways) {
  add_list(command, "--way", ways, fmt::format("{}, or all (default)", fmt::join(way_names(), ", ")).c_str());
}

std::unique_ptr<Transport> make_way(const std::string& way, const Placement& placement, HaloSite site) {
  const std::string name = way == stores ? "direct" : way;
  const HaloPlace place = placement.halo_place();  // by name: GCC 13 takes the backend for a part of it
  const HaloBackend& backend = require_halo(name, place);
  return way == stores ? make_stores_transport(std::move(site)) : backend.parts.make(std::move(site));
}

WarmWays::WarmWays(const std::vector<std::string>& ways, const Placement& placement)
    : exchange_(placement, {.bytes = 1024}) {
  exchange_.connect(neighbouring_pairs(placement), Directions::both);
  // Before those that are already here are destroyed.
  end_here_unless_all_fail([&] {
    for (const auto& way : ways) halos_.push_back(make_way(way, placement, exchange_.site()));
  });
}

Spread microseconds_per_exchange(const Exchange& exchange, Transport& halo, const std::string& way,
                                 const MeasuringPlan& plan) {
  const auto batch = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const int field = i % rotating_fields;
      halo.start(field);
      halo.finish(field);
    }
    exchange.synchronize();
  };
  return end_here_unless_all_fail([&] {
    const Spread spread = microseconds_per_call(plan, batch);
    exchange.poison();
    ranks().gather_values(0);  // a neighbour must not send before
    batch(1);
    exchange.require_arrived(way);
    return spread;
  });
}

}  // namespace tayra
