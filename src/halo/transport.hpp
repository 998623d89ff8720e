// What carries boundary cells between slabs and merges what they report: what a backend is told, what it must
// do, and what it says of itself.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "grid/ranks.hpp"
#include "halo/awaited_ghosts.hpp"
#include "halo/plan.hpp"
#include "halo/reduction.hpp"

namespace tayra {

inline constexpr int rotating_fields = 3;
using FieldEvents = std::array<Event, rotating_fields>;
inline FieldEvents field_events(Device device) { return {Event(device), Event(device), Event(device)}; }

enum class GpuAwareMpi { automatic, on, off };

/// Where a run takes place, as far as a backend's being available depends on it.
struct HaloPlace {
  DeviceKind kind = DeviceKind::cpu;
  std::vector<int> devices;  // GPUs of this process's slabs
  int side_by_side = 1;      // slabs along y
};

/// A slab of this process.
struct HaloSlab {
  std::array<std::byte*, rotating_fields> fields;
  const Queue* queue;      // in whose order boundary cells become valid and ghosts are read
  StepEnd* end = nullptr;  // null: nothing is reduced
};

/// What a backend is bound to. Slabs are numbered through the whole box.
struct HaloSite {
  ExchangePlan plan;  // of this process
  std::vector<int> rank_of_slab;
  int first_slab;  // of this process, which holds those that follow it
  std::vector<HaloSlab> slabs;
  GpuAwareMpi gpu_aware_mpi = GpuAwareMpi::automatic;
  std::shared_ptr<const Reduction> reduction = nullptr;

  /// For who can store into any neighbour's memory.
  HaloSite without_blocks_of_rows() const {
    HaloSite site = *this;
    site.plan = plan.without_blocks_of_rows();
    return site;
  }
  bool is_here(int slab) const { return rank_of_slab[slab] == ranks().rank(); }
  const HaloSlab& slab(int number) const { return slabs[number - first_slab]; }
  /// Of this process's slabs.
  std::vector<int> gpus() const;
  HaloPlace place() const;
  const Queue& queue(int slab_number) const { return *slab(slab_number).queue; }
  std::byte* source(const Move& move, int field) const {
    return slab(move.source_slab).fields[field] + move.source_offset;
  }
  std::byte* destination(const Move& move, int field) const {
    return slab(move.destination_slab).fields[field] + move.destination_offset;
  }
};

/// Where a slab's sweep may store its boundary planes itself, and what it has to wait for.
struct PeerGhosts {
  std::byte* below = nullptr;  // null: nowhere
  std::byte* above = nullptr;
  AwaitedGhosts awaited = {};  // instead of finish() of the field that it reads; nothing: finish() is needed
};

struct TransportTraits {
  /// Whether it only enqueues, and only what a graph may hold and repeat.
  bool recordable = false;
  /// Whether queues of this process's slabs wait for each other's events.
  bool ties_queues = true;
  /// Whether sweeps store their boundary planes themselves: see peer_ghosts().
  bool sweeps_store = false;
  /// Whether reduce() gathers reports on the GPUs' queues where flags don't serve.
  bool gathers_reports = false;
  /// How exactly the bytes travel, where a backend has a choice.
  std::string path = {};
};

/// Three fields rotate and no two exchanges in a row write the same ghosts. A neighbour that is a stage ahead
/// can't be two ahead, since it waits for this slab's planes in between: it only ever overwrites ghosts that
/// have been read, and no acknowledgement travels back. Sweeps that store into them wait for the exchange
/// before, so this holds while they are under way. Where a field is written twice in a row, as
/// in steps that are tried, the step's end lies between.
class Transport {
 public:
  explicit Transport(HaloSite site);
  virtual ~Transport() = default;
  /// Call when the boundary of the field, of all slabs, is enqueued: it may travel.
  void start(int field);
  /// Call before enqueueing work that reads the field's ghosts.
  void finish(int field);
  /// Enqueues the end of a step, at which all slabs have the same report of it.
  virtual void reduce() {
    if (!way_) way_ = site_.reduction->way(traits());
    site_.reduction->enqueue(*way_);
  }
  virtual PeerGhosts peer_ghosts(int /*slab*/, int /*field*/) const { return {}; }
  virtual TransportTraits traits() const = 0;

  /// Both, for a boundary that no sweep has written.
  void exchange(int field);

 protected:
  const HaloSite site_;

 private:
  /// Of what lies in one block.
  virtual void start_moves(int field) = 0;
  virtual void finish_moves(int field) = 0;
  /// What sweeps store themselves, where they do.
  virtual void copy_swept(int /*field*/) const {}
  void copy_rows(const Move& move, int field) const;

  std::vector<Move> rows_here_;           // from slab to slab of this process
  std::vector<FieldEvents> rows_copied_;  // by such a move
  std::optional<ReductionWay> way_;
};

/// The slowest rank's. For a transport that chooses its way before a run, whose ghosts hold nothing yet.
double seconds_per_exchange(const HaloSite& site, const std::function<void(int field)>& exchange);

enum class Reach { node, everywhere };

/// What a build has of a backend.
struct HaloParts {
  std::unique_ptr<Transport> (*make)(HaloSite) = nullptr;
  std::string (*lacks)(const HaloPlace&) =
      nullptr;                  // in this place, beyond what the traits say; null: nothing
  std::string missing_library;  // without which there is neither
};

/// A registry line.
struct HaloBackend {
  std::string name;
  std::string summary;
  Reach reach = Reach::everywhere;
  bool needs_gpu = true;
  bool needs_mpi = false;  // even within one process
  HaloParts parts;
};

const std::vector<HaloBackend>& halo_registry();
const std::vector<std::string>& halo_names();  // without "auto"

// All ranks must call these together.
/// Why a backend can't be had in this place, on any rank; empty when it can.
std::string why_not(const HaloBackend& backend, const HaloPlace& place);
/// Those that `auto` may choose from.
std::vector<const HaloBackend*> available_halos(const HaloPlace& place);
/// Throws Error(unavailable) when it can't be had, Error(bad_input) when there is none of that name.
const HaloBackend& require_halo(const std::string& name, const HaloPlace& place);

}  // namespace tayra
