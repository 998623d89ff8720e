// Halo backends at work between buffers of their own, without a flow: what `bench transfer`, `halo` and
// `cadence` time.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "halo/transport.hpp"
#include "solver/placement.hpp"

namespace tayra {

enum class Directions { one, both };

/// What travels from a slab to its neighbour.
struct EdgeShape {
  std::size_t bytes;  // all blocks together
  int blocks = 1;     // apart from each other in memory
};

struct ChainOptions {
  std::string device = "auto";
  int slabs = 0;  // of a rank; zero: one a GPU
};

void add_chain_options(CLI::App& command, ChainOptions& options);

/// Slabs in a chain through all ranks, spread over the GPUs of each or on the CPU. Throws Error(unavailable)
/// when there is only one.
Placement chain_of(const ChainOptions& options, DeviceKind kind);
int neighbouring_pairs(const Placement& placement);

/// Slabs that consist of nothing but edges and ghosts. All edges hold other bytes.
class Exchange {
 public:
  Exchange(const Placement& placement, const EdgeShape& shape);
  /// Slabs of a box that is cut along y alone, which exchange rows as they lie in a run's memory.
  Exchange(const Placement& placement, const SolverSettings& box);

  /// Between the first so many pairs of neighbours.
  void connect(int pairs, Directions directions);
  /// Between those slabs that a run's plan connects, from edge to ghosts as there.
  void follow(const ExchangePlan& plan);
  HaloSite site() const;
  void synchronize() const;
  /// Overwrites all ghosts that something is sent to.
  void poison() const;
  /// Throws Error(failed) when a ghost holds anything but the edge that was sent to it, and names `way`.
  void require_arrived(const std::string& way) const;

 private:
  struct Slab {
    Queue queue;
    Buffer<std::byte> field;
  };
  /// From an edge to ghosts, however it travels.
  struct Passage {
    Move move;
    std::size_t first_word = 0;  // of the edge's
  };
  void fill_edges();
  void fill_rows(const Move& rows);
  void add_moves(int source_slab, int destination_slab, Edge edge);
  std::size_t edge_start(Edge edge) const;
  std::byte* ghosts(const Move& move) const;
  std::byte* field(int slab) const { return slabs_[slab - placement_.first_slab].field.data(); }
  const Queue& queue(int slab) const { return slabs_[slab - placement_.first_slab].queue; }

  Placement placement_;
  EdgeShape shape_ = {};
  std::vector<std::size_t> block_starts_;  // from the start of an area
  std::size_t area_ = 0;                   // bytes of an edge or of ghosts, gaps between blocks included
  ExchangePlan plan_;
  std::vector<Passage> passages_;  // of the whole box
  std::vector<Slab> slabs_;
  std::unique_ptr<std::uint64_t[]> scratch_;  // of an area, or of a face of rows
};

/// All ways that there are, whether or not this machine has them: the halo backends, with `stores` (a kernel
/// stores into the neighbour's memory) instead of `direct` (the sweep does).
std::vector<std::string> way_names();
/// Those that all devices have. All ranks must call it together.
std::vector<std::string> ways_of(const Placement& placement);
/// "all" stands for all that there are here; `option` is where the user named them.
std::vector<std::string> chosen_ways(const std::string& option, const std::vector<std::string>& asked,
                                     const Placement& placement);
/// --way, for a benchmark that has it.
void add_ways(CLI::App& command, std::vector<std::string>& ways);
/// Throws Error(unavailable) where it can't be had.
std::unique_ptr<Transport> make_way(const std::string& way, const Placement& placement, HaloSite site);

/// A send, and the receivers told that it is there; many in a row, then all queues are waited for. Checks
/// afterwards that the last one's bytes have arrived.
Spread microseconds_per_exchange(const Exchange& exchange, Transport& halo, const std::string& way,
                                 const MeasuringPlan& plan);

/// One exchange of each way, kept for as long as others come and go: libraries that take seconds to start
/// start once.
class WarmWays {
 public:
  WarmWays(const std::vector<std::string>& ways, const Placement& placement);

 private:
  Exchange exchange_;
  std::vector<std::unique_ptr<Transport>> halos_;
};

}  // namespace tayra
