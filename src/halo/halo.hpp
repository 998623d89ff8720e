// The exchange of ghost planes between slabs: what a backend is told, what it must do, and what it says of
// itself.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "grid/ranks.hpp"
#include "halo/awaited_planes.hpp"
#include "halo/plan.hpp"

namespace tayra {

inline constexpr int rotating_fields = 3;

enum class GpuAwareMpi { automatic, on, off };

/// A slab of this process.
struct HaloSlab {
  std::array<std::byte*, rotating_fields> fields;
  const Queue* queue;  // in whose order edges become valid and ghosts are read
};

/// What a backend is bound to. Slabs are numbered through the whole box.
struct HaloSite {
  ExchangePlan plan;  // of the whole box
  std::vector<int> rank_of_slab;
  int first_slab;  // of this process, which holds those that follow it
  std::vector<HaloSlab> slabs;
  GpuAwareMpi gpu_aware_mpi = GpuAwareMpi::automatic;
  // Seconds after which a GPU takes a neighbour that has not stored its planes for lost.
  double patience = usual_timeout;

  bool is_here(int slab) const { return rank_of_slab[slab] == ranks().rank(); }
  const HaloSlab& slab(int number) const { return slabs[number - first_slab]; }
  /// Of this process's slabs.
  std::vector<int> gpus() const;
  const Queue& queue(int slab_number) const { return *slab(slab_number).queue; }
  std::byte* source(const Move& move, int field) const {
    return slab(move.source_slab).fields[field] + move.source_offset;
  }
  std::byte* destination(const Move& move, int field) const {
    return slab(move.destination_slab).fields[field] + move.destination_offset;
  }
};

/// Where the sweep itself is to store a slab's edges; null: nowhere.
struct EdgeAddresses {
  std::byte* lower = nullptr;
  std::byte* upper = nullptr;
};

/// A GPU of this process where all GPUs of the run gather what each has to say.
struct GatherPart {
  const Queue* queue;  // in whose order
  const void* mine;    // as many bytes on every GPU
  void* all;           // of every GPU, in the same order everywhere
  std::size_t bytes;
};

/// Three fields rotate and no two exchanges in a row write the same ghosts. A neighbour that is a stage ahead
/// can't be two ahead, since it waits for this slab's planes in between: it only ever overwrites ghosts that
/// have been read, and no acknowledgement travels back. Where a field is written twice in a row, as in steps
/// that are tried, the step's end lies between.
class Halo {
 public:
  virtual ~Halo() = default;
  /// Call when the edges of the field, of all slabs, are enqueued: they may travel.
  virtual void send(int field) = 0;
  /// The same when no sweep has written the edges: at the start of a run.
  virtual void send_unswept(int field) { send(field); }
  /// Call before enqueueing work that reads the field's ghosts.
  virtual void wait(int field) = 0;
  /// Whether the sweep is to store a slab's edges where they are wanted; nobody carries them then.
  virtual bool lets_sweeps_store() const { return false; }
  virtual EdgeAddresses stores(int /*slab*/, int /*field*/) const { return {}; }
  /// If no queues are tied: what such a sweep may wait for by itself, after send() of the field that it reads
  /// and instead of wait(). Letters, if GPUs end a step by them, replace this for the last stage.
  virtual AwaitedPlanes awaited_by(int /*slab*/) const { return {}; }
  /// Whether it only enqueues, and only what a graph may hold and repeat; otherwise it is enqueued step by
  /// step.
  virtual bool can_be_recorded() const = 0;
  /// Whether queues of this process's slabs wait for each other's events.
  virtual bool ties_queues() const { return true; }
  /// The GPUs of the run, where it can also gather a few bytes of each on their queues alone; else zero.
  virtual int gathering_gpus() const { return 0; }
  /// For all GPUs of this process, and all ranks together.
  virtual void gather_to_all(const std::vector<GatherPart>& /*parts*/) {}
  /// Throws when a neighbour's planes did not come in time and the device has given up waiting.
  virtual void check() const {}
  /// How exactly the bytes travel, where a backend has a choice.
  virtual std::string path() const { return ""; }
};

/// Where a run takes place, as far as a backend's being available depends on it.
struct HaloPlace {
  DeviceKind kind = DeviceKind::cpu;
  std::vector<int> devices;  // GPUs of this process's slabs
};

enum class Reach { node, everywhere };

/// What a build has of a backend.
struct HaloParts {
  std::unique_ptr<Halo> (*make)(HaloSite) = nullptr;
  std::string (*lacks)(const HaloPlace&) =
      nullptr;                  // in this place, beyond what the traits say; null: nothing
  std::string missing_library;  // without which there is neither
};

/// A registry line.
struct HaloBackend {
  std::string name;
  std::string summary;
  Reach reach;
  bool needs_gpu;
  bool needs_mpi;  // even within one process
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

std::string lost_rank_message(int rank, double patience);

}  // namespace tayra
