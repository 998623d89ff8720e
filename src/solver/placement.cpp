// Slabs in equal shares to ranks and GPUs, the memory that takes, and the backends to choose from.
#include "solver/placement.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "grid/layout.hpp"
#include "halo/slab_gpus.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace {

std::size_t word_bytes(const SolverSettings& settings) {
  return settings.precision == Precision::single ? sizeof(float) : sizeof(double);
}

std::size_t plane_bytes(const SolverSettings& settings) {
  return Layout{settings.grid.cells[0], settings.grid.cells[1], 1}.plane_stride() * word_bytes(settings);
}

/// That a GPU's positivity limiter takes for a plane.
std::size_t limiter_bytes(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu || !settings.positivity) return 0;
  return words_of_bits({settings.grid.cells[0], settings.grid.cells[1], 1}) * sizeof(unsigned);
}

std::vector<SlabRange> ranges_of(const SolverSettings& settings) {
  return cut_into_slabs(settings.grid.cells[2], ranks().size() * settings.slabs);
}

std::vector<Device> devices_of(const SolverSettings& settings) {
  const int there = static_cast<int>(cuda_devices().size());
  std::vector<Device> devices;
  for (int slab = 0; slab < settings.slabs; ++slab) {
    const int gpu = ranks().rank_on_node() * settings.gpus + slab * settings.gpus / settings.slabs;
    devices.push_back(settings.device == DeviceKind::cpu ? Device{} : Device{DeviceKind::cuda, gpu % there});
  }
  return devices;
}

/// Ranks may each see a GPU of their own under the same number, or share one: its identity tells.
int most_slabs_of_a_device(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return settings.slabs * ranks().size_of_node();
  if (cuda_devices().empty()) return (settings.slabs + settings.gpus - 1) / settings.gpus;
  std::map<std::string, int> slabs_of;
  int most = 0;
  for (const SlabGpu& gpu : gpus_of_all_slabs(place_slabs(settings).halo_place()))
    most = std::max(most, ++slabs_of[gpu.identity]);
  return most;
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

Placement place_slabs(const SolverSettings& settings) {
  Placement placement{ranges_of(settings), {}, ranks().rank() * settings.slabs, devices_of(settings)};
  for (std::size_t slab = 0; slab < placement.ranges.size(); ++slab)
    placement.rank_of_slab.push_back(static_cast<int>(slab) / settings.slabs);
  return placement;
}

ExchangePlan exchange_plan(const SolverSettings& settings) {
  std::vector<int> planes;
  for (const SlabRange& range : ranges_of(settings)) planes.push_back(range.planes);
  return make_exchange_plan(planes, plane_bytes(settings), settings.grid.boundary[2] == Boundary::periodic);
}

/// A process that runs alone has no use for MPI and doesn't start it.
std::vector<const HaloBackend*> available_halos(const HaloPlace& place) {
  std::vector<const HaloBackend*> available;
  for (const HaloBackend& backend : halo_registry())
    if (!(backend.needs_mpi && ranks().size() == 1) && why_not(backend, place).empty())
      available.push_back(&backend);
  return available;
}

const HaloBackend& require_halo(const std::string& name, const HaloPlace& place) {
  const auto& backends = halo_registry();
  const auto found = std::find_if(backends.begin(), backends.end(),
                                  [&](const HaloBackend& backend) { return backend.name == name; });
  require(found != backends.end(), ExitCode::bad_input, "there is no halo backend '" + name + "'");
  const std::string reason = why_not(*found, place);
  require(reason.empty(), ExitCode::unavailable,
          "halo backend " + name + " is not available (" + reason +
              "): take another, or auto; tayra info lists them");
  return *found;
}

std::uint64_t memory_needed(const SolverSettings& settings) {
  const auto ranges = ranges_of(settings);
  const int slabs_of_device = most_slabs_of_a_device(settings);
  std::uint64_t planes = 0;  // the first slabs are the largest
  for (int slab = 0; slab < std::min(slabs_of_device, static_cast<int>(ranges.size())); ++slab)
    planes += static_cast<std::uint64_t>(ranges[slab].planes + 2 * ghost_planes);
  return planes *
         (rotating_fields * plane_bytes(settings) + 2 * word_bytes(settings) + limiter_bytes(settings));
}

std::uint64_t most_cells_across(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return UINT64_MAX;
  return UINT32_MAX / (field_variables - 1) / word_bytes(settings);
}

std::uint64_t memory_available(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return host_memory_available();
  if (cuda_devices().empty()) return 0;
  std::uint64_t least = UINT64_MAX;
  for (const Device& gpu : devices_of(settings)) least = std::min(least, free_gpu_memory(gpu.number));
  return least;
}

std::uint64_t bytes_per_exchange(const SolverSettings& settings) { return exchange_plan(settings).bytes(); }

const std::vector<std::string>& halo_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const HaloBackend& backend : halo_registry()) list.push_back(backend.name);
    return list;
  }();
  return names;
}

}  // namespace tayra
