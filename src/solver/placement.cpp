// Slabs in equal shares to ranks and GPUs.
#include "solver/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "halo/slab_gpus.hpp"
#include "solver/sweep.hpp"

namespace tayra {
namespace {

std::vector<Device> devices_of(const SolverSettings& settings) {
  const int there = std::max(1, static_cast<int>(cuda_devices().size()));
  std::vector<Device> devices;
  for (int slab = 0; slab < settings.slabs; ++slab) {
    const int gpu = ranks().rank_on_node() * settings.gpus + slab * settings.gpus / settings.slabs;
    devices.push_back(settings.device == DeviceKind::cpu ? Device{} : Device{DeviceKind::cuda, gpu % there});
  }
  return devices;
}

RowRange most_rows(const SolverSettings& settings) {
  return std::ranges::max(row_ranges(settings), {}, &RowRange::rows);
}

/// That a GPU's positivity limiter takes for a plane.
std::size_t limiter_bytes(const SolverSettings& settings, const Layout& slab) {
  if (settings.device == DeviceKind::cpu || !settings.positivity) return 0;
  return masks_of_slab({slab.nx, slab.ny, 1, slab.scalars, slab.other_rows}) * sizeof(unsigned);
}

/// Of the mass through faces that scalars are carried by.
std::size_t mass_bytes(const Layout& slab, std::size_t word) {
  return slab.scalars == 0 ? 0 : MassFluxes<float>::size(slab) * word;
}

}  // namespace

int Placement::slab_of(int plane) const {
  const auto above =
      std::find_if(ranges.begin(), ranges.end(), [&](const SlabRange& r) { return r.first > plane; });
  return static_cast<int>(above - ranges.begin()) - side_by_side();
}

bool Placement::is_here(int slab) const { return rank_of_slab[slab] == ranks().rank(); }

std::vector<SlabRange> Placement::planes_of_ranks() const {
  std::vector<SlabRange> planes(rank_of_slab.back() + 1, {0, 0});
  for (std::size_t slab = 0; slab < ranges.size(); slab += rows.size()) {
    const auto [first_rank, count] = ranks_of_layer(static_cast<int>(slab));
    const auto shares = cut_into_slabs(ranges[slab].planes, count);
    for (int i = 0; i < count; ++i) {
      SlabRange& of_rank = planes[first_rank + i];
      if (of_rank.planes == 0) of_rank.first = ranges[slab].first + shares[i].first;
      of_rank.planes += shares[i].planes;
    }
  }
  return planes;
}

SlabRange Placement::planes_of_layers(int rank) const {
  const auto [begin, end] = std::ranges::equal_range(rank_of_slab, rank);
  const SlabRange &lowest = ranges[begin - rank_of_slab.begin()],
                  &highest = ranges[end - 1 - rank_of_slab.begin()];
  return {lowest.first, highest.first + highest.planes - lowest.first};
}

RankGroup Placement::ranks_of_layer(int slab) const {
  const int first = slab / side_by_side() * side_by_side();
  return {rank_of_slab[first], rank_of_slab[first + side_by_side() - 1] - rank_of_slab[first] + 1};
}

HaloPlace Placement::halo_place() const {
  HaloPlace place{devices.front().kind, {}, side_by_side()};
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
  std::vector<SlabRange> ranges;
  for (const SlabRange& layer :
       cut_into_slabs(settings.grid.cells[2], ranks().size() * settings.slabs / settings.cut_y))
    ranges.insert(ranges.end(), settings.cut_y, layer);
  return ranges;
}

std::vector<RowRange> row_ranges(const SolverSettings& settings) {
  return cut_into_rows(settings.grid.cells[1], settings.cut_y, settings.rows_apart);
}

bool is_possible_cut(const SolverSettings& settings, int cut_y) {
  const int slabs = settings.slabs, all = ranks().size() * slabs;
  const bool whole_layers = slabs % cut_y == 0 || (cut_y % slabs == 0 && all % cut_y == 0);
  return whole_layers && all / cut_y <= settings.grid.cells[2] / ghost_planes &&
         (cut_y == 1 || cut_y <= settings.grid.cells[1] / settings.rows_apart);
}

int likely_cut(SolverSettings settings, const std::function<bool(const SolverSettings& cut)>& serves) {
  const int all = ranks().size() * settings.slabs, rows = settings.grid.cells[1];
  int likely = 1;
  double fewest = HUGE_VAL;
  for (int cut = 1; cut <= all; ++cut) {
    settings.cut_y = cut;
    if (!is_possible_cut(settings, cut) || !serves(settings)) continue;
    const double rows_of_slab = double(rows) / cut,
                 planes_of_slab = settings.grid.cells[2] * double(cut) / all;
    const double sent = (cut < all ? rows_of_slab : 0) + (cut > 1 ? planes_of_slab : 0);
    if (sent < fewest) likely = cut, fewest = sent;
  }
  return likely;
}

Placement place_slabs(const SolverSettings& settings) {
  Placement placement{
      slab_ranges(settings), row_ranges(settings), {}, ranks().rank() * settings.slabs, devices_of(settings)};
  for (std::size_t slab = 0; slab < placement.ranges.size(); ++slab)
    placement.rank_of_slab.push_back(static_cast<int>(slab) / settings.slabs);
  return placement;
}

std::size_t plane_bytes(const SolverSettings& settings) {
  return layout_of(settings, 1).plane_stride() * word_bytes(settings.precision);
}

Layout layout_of(const SolverSettings& settings, int planes) {
  return layout_of(settings, planes, {0, settings.grid.cells[1]});
}
Layout layout_of(const SolverSettings& settings, int planes, const RowRange& rows) {
  const bool is_cut = rows.rows < settings.grid.cells[1];
  return {settings.grid.cells[0], rows.rows, planes, static_cast<int>(settings.scalars.size()),
          is_cut ? 2 * ghost_rows : 0};
}

PlannedSlab planned_slab(const SolverSettings& settings, int planes, const RowRange& rows) {
  const Layout layout = layout_of(settings, planes, rows);
  const std::size_t word = word_bytes(settings.precision);
  return {planes, layout.plane_stride() * word, layout.ny, layout.nx * word,
          field_variables + layout.scalars};
}

std::size_t row_block_bytes(const SolverSettings& settings, int planes) {
  if (settings.cut_y <= settings.slabs) return 0;
  return planned_slab(settings, planes, row_ranges(settings).front()).bytes_of_blocks();
}

ExchangePlan exchange_plan(const SolverSettings& settings) {
  const auto rows = row_ranges(settings);
  std::vector<PlannedSlab> slabs;
  for (const SlabRange& range : slab_ranges(settings)) {
    const int number = static_cast<int>(slabs.size());
    slabs.push_back(planned_slab(settings, range.planes, rows[number % rows.size()]));
    slabs.back().rank = number / settings.slabs;
  }
  const auto& boundary = settings.grid.boundary;
  return make_exchange_plan(slabs, settings.cut_y, boundary[2] == Boundary::periodic,
                            boundary[1] == Boundary::periodic);
}

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

std::uint64_t slab_memory(const SolverSettings& settings, const Layout& slab) {
  const std::size_t word = word_bytes(settings.precision);
  return rotating_fields * slab.size() * word + mass_bytes(slab, word) +
         (slab.nz + 2 * ghost_planes) * (2 * word + limiter_bytes(settings, slab));
}

std::uint64_t memory_needed(const SolverSettings& settings) {
  const auto ranges = slab_ranges(settings);
  const int slabs_of_device = most_slabs_of_a_device(settings);
  std::uint64_t bytes = 0;
  for (int slab = 0; slab < std::min(slabs_of_device, static_cast<int>(ranges.size())); ++slab) {
    const Layout layout = layout_of(settings, ranges[slab].planes, most_rows(settings));
    bytes += slab_memory(settings, layout) + rotating_fields * row_block_bytes(settings, layout.nz);
  }
  return bytes;
}

std::uint64_t cells_across_slab(const SolverSettings& settings) {
  return layout_of(settings, 1, most_rows(settings)).variable_stride();
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
