// Counted, not asked for: a run that does not fit is refused before it starts.
#include "solver/memory_needs.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "halo/slab_gpus.hpp"
#include "solver/placement.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace {

/// That a GPU's positivity limiter takes for a plane.
std::size_t limiter_bytes(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu || !settings.positivity) return 0;
  return mask_count({settings.grid.cells[0], settings.grid.cells[1], 1}) * sizeof(unsigned);
}

}  // namespace

int slabs_meant_for_a_gpu(const SolverSettings& settings) {
  return (settings.slabs + settings.gpus - 1) / settings.gpus;
}

// Ranks may each see a GPU of their own under the same number, or share one: its identity tells.
int most_slabs_of_a_device(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return settings.slabs * ranks().size_of_node();
  if (!missing_devices(settings).empty()) return slabs_meant_for_a_gpu(settings);
  std::map<std::string, int> slabs_of;
  int most = 0;
  for (const SlabGpu& gpu : gpus_of_all_slabs(place_slabs(settings).halo_place()))
    most = std::max(most, ++slabs_of[gpu.identity]);
  return most;
}

std::uint64_t memory_needed(const SolverSettings& settings) {
  const auto ranges = slab_ranges(settings);
  const int slabs_of_device = most_slabs_of_a_device(settings);
  std::uint64_t planes = 0;
  for (int slab = 0; slab < std::min(slabs_of_device, static_cast<int>(ranges.size())); ++slab)
    planes += static_cast<std::uint64_t>(ranges[slab].planes + 2 * ghost_planes);
  return planes * (rotating_fields * plane_bytes(settings) + 2 * word_bytes(settings.precision) +
                   limiter_bytes(settings));
}

std::uint64_t most_cells_across(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return UINT64_MAX;
  return UINT32_MAX / (field_variables - 1) / word_bytes(settings.precision);
}

std::uint64_t memory_available(const SolverSettings& settings) {
  if (settings.device == DeviceKind::cpu) return host_memory_available();
  const std::string missing = missing_devices(settings);
  require(missing.empty(), ExitCode::unavailable, missing);
  std::uint64_t least = UINT64_MAX;
  for (const Device& gpu : place_slabs(settings).devices)
    least = std::min(least, free_gpu_memory(gpu.number));
  return least;
}

}  // namespace tayra
