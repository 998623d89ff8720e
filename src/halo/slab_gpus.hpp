// The GPUs that hold the slabs of a run, on whichever rank, and which of them reach each other's memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "halo/transport.hpp"

namespace tayra {

struct SlabGpu {
  int rank;
  int number;            // as its rank counts them
  std::string identity;  // the same on every rank
};

/// Of all slabs, from the lowest up. All ranks must call it together.
std::vector<SlabGpu> gpus_of_all_slabs(const HaloPlace& place);

/// Which slabs one has to reach: those beside it along an axis (the lowest is above the highest), or all
/// others.
enum class Partners { neighbours, all };

/// Names the first partner that a slab of the rank can't reach, or "".
using Reaches = std::function<bool(const SlabGpu& from, const SlabGpu& to)>;
std::string first_out_of_reach(const std::vector<SlabGpu>& slabs, int rank, int side_by_side,
                               Partners partners, const Reaches& reaches);

/// Why a slab of this rank can't reach a partner's memory on this node, or "". GPUs that this rank doesn't
/// see are passed over: only opening their memory will tell. All ranks must call it together.
std::string no_peer_access(const HaloPlace& place, Partners partners);

/// How the slabs of a rank reach the next along y and the one above, where these lie on another GPU.
using Link = std::function<std::string(const SlabGpu& from, const SlabGpu& to)>;
std::vector<std::string> links_onwards(const std::vector<SlabGpu>& slabs, int rank, int side_by_side,
                                       const Link& link);

/// Of all slabs. All ranks must call it together.
std::vector<std::string> links_of_neighbours(const HaloPlace& place);

/// Whether a GPU is among these twice.
bool share_a_gpu(const std::vector<int>& gpus);

/// All ranks must call it together.
bool ranks_share_a_gpu(const HaloPlace& place);

}  // namespace tayra
