// Which slab lies on which rank and device, and what travels between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grid/decomposition.hpp"
#include "halo/transport.hpp"
#include "solver/simulation.hpp"

namespace tayra {

struct Placement {
  std::vector<SlabRange> ranges;  // of the whole box
  std::vector<int> rank_of_slab;
  int first_slab;               // of this rank
  std::vector<Device> devices;  // of this rank's slabs

  int slab_of(int plane) const;
  bool is_here(int slab) const;
  std::vector<SlabRange> planes_of_ranks() const;
  HaloPlace halo_place() const;
};

/// As many slabs a rank as the settings say, spread over its GPUs; ranks of a node share the node's GPUs.
Placement place_slabs(const SolverSettings& settings);
/// Likewise without devices, which need not be there.
Placement place_on_ranks(const SolverSettings& settings);

/// Why the devices of a rank are not those of this machine, or "".
std::string missing_devices(const SolverSettings& settings);

/// The first are the largest.
std::vector<SlabRange> slab_ranges(const SolverSettings& settings);
std::size_t plane_bytes(const SolverSettings& settings);
ExchangePlan exchange_plan(const SolverSettings& settings);
/// Bytes that all slabs send in one exchange.
std::uint64_t bytes_per_exchange(const SolverSettings& settings);

}  // namespace tayra
