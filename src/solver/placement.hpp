// Which slab lies on which rank and device, what travels between them, and what a run takes of a device's
// memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grid/decomposition.hpp"
#include "grid/layout.hpp"
#include "halo/transport.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// Consecutive ones.
struct RankGroup {
  int first;
  int count;
};

struct Placement {
  std::vector<SlabRange> ranges;  // of the whole box, by slab
  std::vector<RowRange> rows;     // of the slabs side by side in a layer, which may lie on several ranks
  std::vector<int> rank_of_slab;
  int first_slab;               // of this rank
  std::vector<Device> devices;  // of this rank's slabs

  int side_by_side() const { return static_cast<int>(rows.size()); }
  /// The first that holds some of a plane; the others of its layer follow.
  int slab_of(int plane) const;
  bool is_here(int slab) const;
  const RowRange& rows_of(int slab) const { return rows[slab % rows.size()]; }
  /// Planes that ranks write whole: of a layer that several share each has a part.
  std::vector<SlabRange> planes_of_ranks() const;
  /// Of the layers that a rank has slabs of, alone or with others.
  SlabRange planes_of_layers(int rank) const;
  /// That share the layer of a slab.
  RankGroup ranks_of_layer(int slab) const;
  HaloPlace halo_place() const;
};

/// As many slabs a rank as the settings say, spread over its GPUs, which need not be there; ranks of a node
/// share the node's GPUs.
Placement place_slabs(const SolverSettings& settings);

/// Why the devices of a rank are not those of this machine, or "".
std::string missing_devices(const SolverSettings& settings);

/// By slab; the first are the largest.
std::vector<SlabRange> slab_ranges(const SolverSettings& settings);
/// Of the slabs side by side.
std::vector<RowRange> row_ranges(const SolverSettings& settings);
std::size_t plane_bytes(const SolverSettings& settings);
/// Of whole planes, and of rows of them.
Layout layout_of(const SolverSettings& settings, int planes);
Layout layout_of(const SolverSettings& settings, int planes, const RowRange& rows);
/// Whether so many slabs side by side make whole layers of slabs that all have planes and rows enough.
bool is_possible_cut(const SolverSettings& settings, int cut_y);
/// Of the possible ones that serve, that whose slabs have the fewest bytes to send; 1 where there is none.
int likely_cut(
    SolverSettings settings,
    const std::function<bool(const SolverSettings& cut)>& serves = [](const auto&) { return true; });
/// How a slab lies in memory; of the first rank.
PlannedSlab planned_slab(const SolverSettings& settings, int planes, const RowRange& rows);
/// Behind the planes of each field of a slab: rows on their way to and from other ranks (plan.hpp).
std::size_t row_block_bytes(const SolverSettings& settings, int planes);
ExchangePlan exchange_plan(const SolverSettings& settings);

// Counted, not asked for: a run that does not fit is refused before it starts.
/// By the settings of a rank.
int slabs_meant_for_a_gpu(const SolverSettings& settings);
/// On the device with most, of all ranks' slabs; ranks of a node may share its GPUs. All ranks must call it
/// together.
int most_slabs_of_a_device(const SolverSettings& settings);

/// Of one slab on its device: fields, the masses that carry scalars, what the limiter notes.
std::uint64_t slab_memory(const SolverSettings& settings, const Layout& slab);
/// Bytes that a run needs on each device, before anything is allocated. All ranks must call it together.
std::uint64_t memory_needed(const SolverSettings& settings);
/// In a plane of the largest slab, ghost rows included.
std::uint64_t cells_across_slab(const SolverSettings& settings);
/// In a plane of a device: the sweep of a GPU counts the bytes between a cell's variables in 32 bits.
std::uint64_t most_cells_across(const SolverSettings& settings);
/// Bytes free: on the fullest of this rank's GPUs, or in the machine's memory.
std::uint64_t memory_available(const SolverSettings& settings);

}  // namespace tayra
