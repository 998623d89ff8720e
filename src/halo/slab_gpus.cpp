// GPUs are known by their identity: ranks need not number them alike, nor see them all.
#include "halo/slab_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace tayra {
namespace {

/// As ranks tell each other.
struct ToldGpu {
  int number;
  std::array<char, gpu_identity_bytes> identity;
};

std::string told(const HaloPlace& place) {
  std::string all;
  for (const int number : place.devices) {
    ToldGpu gpu{number, {}};
    device_identity({DeviceKind::cuda, number}).copy(gpu.identity.data(), gpu.identity.size());
    all.append(reinterpret_cast<const char*>(&gpu), sizeof gpu);
  }
  return all;
}

/// The numbers by which this rank knows the GPUs that it sees.
std::map<std::string, int> visible_gpus() {
  std::map<std::string, int> numbers;
  const int count = static_cast<int>(cuda_devices().size());
  for (int number = 0; number < count; ++number)
    numbers[device_identity({DeviceKind::cuda, number})] = number;
  return numbers;
}

std::string name_of(const SlabGpu& gpu, const std::vector<SlabGpu>& slabs) {
  const bool several_ranks = slabs.back().rank > 0;
  return several_ranks ? fmt::format("GPU {} of rank {}", gpu.number, gpu.rank)
                       : fmt::format("GPU {}", gpu.number);
}

/// Whether one follows the other in a ring of so many.
bool are_beside(int a, int b, int count) {
  const int distance = std::abs(a - b);
  return distance == 1 || distance == count - 1;
}

bool are_partners(int a, int b, int slabs, int side_by_side, Partners partners) {
  if (a == b) return false;
  if (partners == Partners::all) return true;
  const int layer_of_a = a / side_by_side, layer_of_b = b / side_by_side;
  const int row_of_a = a % side_by_side, row_of_b = b % side_by_side;
  return layer_of_a == layer_of_b
             ? are_beside(row_of_a, row_of_b, side_by_side)
             : row_of_a == row_of_b && are_beside(layer_of_a, layer_of_b, slabs / side_by_side);
}

}  // namespace

std::vector<SlabGpu> gpus_of_all_slabs(const HaloPlace& place) {
  std::vector<SlabGpu> slabs;
  const auto of_ranks = ranks().gather_texts(told(place));
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (std::size_t at = 0; at < of_ranks[rank].size(); at += sizeof(ToldGpu)) {
      ToldGpu gpu;
      std::memcpy(&gpu, of_ranks[rank].data() + at, sizeof gpu);
      slabs.push_back(
          {static_cast<int>(rank), gpu.number, std::string(gpu.identity.data(), gpu.identity.size())});
    }
  return slabs;
}

std::string first_out_of_reach(const std::vector<SlabGpu>& slabs, int rank, int side_by_side,
                               Partners partners, const Reaches& reaches) {
  const int count = static_cast<int>(slabs.size());
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to)
      if (slabs[from].rank == rank && are_partners(from, to, count, side_by_side, partners) &&
          !reaches(slabs[from], slabs[to]))
        return "no peer access from " + name_of(slabs[from], slabs) + " to " + name_of(slabs[to], slabs);
  return "";
}

std::string no_peer_access(const HaloPlace& place, Partners partners) {
  const auto numbers = visible_gpus();
  return first_out_of_reach(gpus_of_all_slabs(place), ranks().rank(), place.side_by_side, partners,
                            [&](const SlabGpu& from, const SlabGpu& to) {
                              const auto seen = numbers.find(to.identity);
                              return seen == numbers.end() || has_peer_access(from.number, seen->second);
                            });
}

std::vector<std::string> links_onwards(const std::vector<SlabGpu>& slabs, int rank, int side_by_side,
                                       const Link& link) {
  std::vector<std::string> links;
  const int count = static_cast<int>(slabs.size());
  for (int slab = 0; slab < count; ++slab) {
    const int end_of_layer = slab - slab % side_by_side + side_by_side;
    for (const auto& [next, end] : {std::pair(slab + 1, end_of_layer), {slab + side_by_side, count}}) {
      if (next >= end) continue;
      const SlabGpu &from = slabs[slab], &to = slabs[next];
      if (from.rank == rank && from.identity != to.identity)
        links.push_back(name_of(from, slabs) + " - " + name_of(to, slabs) + ": " + link(from, to));
    }
  }
  return links;
}

std::vector<std::string> links_of_neighbours(const HaloPlace& place) {
  const auto numbers = visible_gpus();
  return ranks().gather_lines(links_onwards(gpus_of_all_slabs(place), ranks().rank(), place.side_by_side,
                                            [&](const SlabGpu& from, const SlabGpu& to) -> std::string {
                                              const auto seen = numbers.find(to.identity);
                                              return seen == numbers.end()
                                                         ? "not seen from here"
                                                         : link_between(from.number, seen->second);
                                            }));
}

bool share_a_gpu(const std::vector<int>& gpus) {
  return std::set<int>(gpus.begin(), gpus.end()).size() < gpus.size();
}

bool ranks_share_a_gpu(const HaloPlace& place) {
  std::map<std::string, int> rank_of_gpu;
  for (const SlabGpu& gpu : gpus_of_all_slabs(place))
    if (rank_of_gpu.try_emplace(gpu.identity, gpu.rank).first->second != gpu.rank) return true;
  return false;
}

}  // namespace tayra
