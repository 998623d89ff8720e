// Slabs in equal shares to ranks and GPUs.
#include "solver/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grid/layout.hpp"

namespace tayra {
namespace {

std::vector<Device> devices_of(const SolverSettings& settings) {
  const int there = static_cast<int>(cuda_devices().size());
  std::vector<Device> devices;
  for (int slab = 0; slab < settings.slabs; ++slab) {
    const int gpu = ranks().rank_on_node() * settings.gpus + slab * settings.gpus / settings.slabs;
    devices.push_back(settings.device == DeviceKind::cpu ? Device{} : Device{DeviceKind::cuda, gpu % there});
  }
  return devices;
}

}  // namespace

int Placement::slab_of(int plane) const {
  const auto above =
      std::find_if(ranges.begin(), ranges.end(), [&](const SlabRange& r) { return r.first > plane; });
  return static_cast<int>(above - ranges.begin()) - 1;
}

bool Placement::is_here(int slab) const { return rank_of_slab[slab] == ranks().rank(); }

std::vector<SlabRange> Placement::planes_of_ranks() const {
  std::vector<SlabRange> planes(rank_of_slab.back() + 1, {0, 0});
  for (std::size_t slab = 0; slab < ranges.size(); ++slab) {
    SlabRange& of_rank = planes[rank_of_slab[slab]];
    if (of_rank.planes == 0) of_rank.first = ranges[slab].first;
    of_rank.planes += ranges[slab].planes;
  }
  return planes;
}

HaloPlace Placement::halo_place() const {
  HaloPlace place{devices.front().kind, {}};
  if (place.kind == DeviceKind::cuda)
    for (const Device& device : devices) place.devices.push_back(device.number);
  return place;
}

std::string missing_devices(const SolverSettings& settings) {
  const int there = static_cast<int>(cuda_devices().size());
  if (settings.device == DeviceKind::cpu || there >= settings.gpus) return "";
  if (there == 0) return "no GPU to run on: " + why_no_cuda();
  return fmt::format("{} GPUs were asked for, this machine has {}", settings.gpus, there);
}

std::vector<SlabRange> slab_ranges(const SolverSettings& settings) {
  return cut_into_slabs(settings.grid.cells[2], ranks().size() * settings.slabs);
}

Placement place_on_ranks(const SolverSettings& settings) {
  Placement placement{slab_ranges(settings), {}, ranks().rank() * settings.slabs, {}};
  for (std::size_t slab = 0; slab < placement.ranges.size(); ++slab)
    placement.rank_of_slab.push_back(static_cast<int>(slab) / settings.slabs);
  return placement;
}

Placement place_slabs(const SolverSettings& settings) {
  Placement placement = place_on_ranks(settings);
  placement.devices = devices_of(settings);
  return placement;
}

std::size_t plane_bytes(const SolverSettings& settings) {
  return Layout{settings.grid.cells[0], settings.grid.cells[1], 1}.plane_stride() *
         word_bytes(settings.precision);
}

ExchangePlan exchange_plan(const SolverSettings& settings) {
  std::vector<int> planes;
  for (const SlabRange& range : slab_ranges(settings)) planes.push_back(range.planes);
  return make_exchange_plan(planes, plane_bytes(settings), settings.grid.boundary[2] == Boundary::periodic);
}

std::uint64_t bytes_per_exchange(const SolverSettings& settings) { return exchange_plan(settings).bytes(); }

}  // namespace tayra
