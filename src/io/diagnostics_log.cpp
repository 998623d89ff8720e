// Integrals over the box and sizes of the mixing layer, from sums over planes.
#include "io/diagnostics_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tayra {
namespace {

enum class Direction { down = -1, up = 1 };

/// The mean heavy fraction of each plane and the heights that belong to it.
struct Profile {
  std::vector<double> heavy;
  std::vector<double> height;
  double lower, upper;
};

Profile profile_of(std::span<const PlaneSums> planes, const Grid& grid) {
  Profile profile{.heavy = {}, .height = {}, .lower = grid.lower[2], .upper = grid.upper[2]};
  const double cells_in_plane = static_cast<double>(grid.cells[0]) * grid.cells[1];
  for (std::size_t z = 0; z < planes.size(); ++z) {
    profile.heavy.push_back(planes[z].heavy_fraction / cells_in_plane);
    profile.height.push_back(grid.centre(2, static_cast<int>(z)));
  }
  return profile;
}

/// Distance from the interface, going up or down, to where the fraction first reaches `level`; linear between
/// plane centres. Going outwards from the interface, faint sound waves far away aren't mistaken for the
/// layer.
double distance_to(double level, const Profile& profile, double interface, Direction direction) {
  const auto& [heavy, height, lower, upper] = profile;
  const auto planes = static_cast<int>(heavy.size());
  const int stride = static_cast<int>(direction);
  const auto inside = [&](int z) { return z >= 0 && z < planes; };
  const auto reached = [&](int z) { return level > 0.5 ? heavy[z] >= level : heavy[z] <= level; };

  int z = direction == Direction::up ? 0 : planes - 1;
  while (inside(z) && (stride * (height[z] - interface) <= 0 || !reached(z))) z += stride;
  if (!inside(z)) return direction == Direction::up ? upper - interface : interface - lower;
  const int before = z - stride;
  if (!inside(before) || reached(before)) return 0;
  const double share = (level - heavy[before]) / (heavy[z] - heavy[before]);
  return std::max(0., stride * (height[before] + share * (height[z] - height[before]) - interface));
}

/// 3 ∫ |z - z_c| s dz / ∫ s dz over one side of the layer's centre z_c, where s is the share of the fluid
/// from the other side: the height at which s ends, were it linear (Youngs & Thornber 2020, with m = 1).
/// Planes are taken as uniform layers and cut at the centre, so that nothing jumps when the layer grows past
/// a plane.
template <class Share>
double integral_height(const Grid& grid, double centre, Direction side, Share share) {
  const auto distance = [&](int face) {
    const double height = grid.lower[2] + face * grid.spacing(2);
    return std::max(0., static_cast<int>(side) * (height - centre));
  };
  double volume = 0, moment = 0;
  for (int z = 0; z < grid.cells[2]; ++z) {
    const auto [near, far] = std::minmax({distance(z), distance(z + 1)});
    volume += share(z) * (far - near);
    moment += share(z) * (far - near) * (far + near) / 2;
  }
  return volume > 0 ? 3 * moment / volume : 0;
}

/// Sets both. As much of either fluid lies beyond the centre as of the other: it is where their boundary
/// would be if they were unmixed.
void set_integral_heights(MixingLayer& layer, const Profile& profile, const Grid& grid, bool heavy_above) {
  const auto of_upper = [&](int z) { return heavy_above ? profile.heavy[z] : 1 - profile.heavy[z]; };
  const auto of_lower = [&](int z) { return 1 - of_upper(z); };
  double centre = grid.lower[2];
  for (int z = 0; z < grid.cells[2]; ++z) centre += of_lower(z) * grid.spacing(2);
  const double above = integral_height(grid, centre, Direction::up, of_lower);
  const double below = integral_height(grid, centre, Direction::down, of_upper);
  layer.integral_bubble_height = heavy_above ? above : below;
  layer.integral_spike_height = heavy_above ? below : above;
}

void add_extremes(Diagnostics& whole, const PlaneSums& plane) {
  whole.max_mach = std::max(whole.max_mach, plane.max_mach);
  whole.max_w = std::max(whole.max_w, plane.max_speed_w);
  whole.min_density = std::min(whole.min_density, plane.min_density);
  whole.min_pressure = std::min(whole.min_pressure, plane.min_pressure);
}

template <class Measured>
struct Column {
  const char* name;
  double (*value)(const Measured&);
};

constexpr Column<Diagnostics> columns_of_box[] = {
    {"mass", [](const Diagnostics& d) { return d.mass; }},
    {"momentum_x", [](const Diagnostics& d) { return d.momentum[0]; }},
    {"momentum_y", [](const Diagnostics& d) { return d.momentum[1]; }},
    {"momentum_z", [](const Diagnostics& d) { return d.momentum[2]; }},
    {"energy", [](const Diagnostics& d) { return d.energy; }},
    {"potential_energy", [](const Diagnostics& d) { return d.potential_energy; }},
    {"kinetic_energy_x", [](const Diagnostics& d) { return d.kinetic_energy[0]; }},
    {"kinetic_energy_y", [](const Diagnostics& d) { return d.kinetic_energy[1]; }},
    {"kinetic_energy_z", [](const Diagnostics& d) { return d.kinetic_energy[2]; }},
    {"max_mach", [](const Diagnostics& d) { return d.max_mach; }},
    {"max_w", [](const Diagnostics& d) { return d.max_w; }},
    {"min_density", [](const Diagnostics& d) { return d.min_density; }},
    {"min_pressure", [](const Diagnostics& d) { return d.min_pressure; }},
    {"enstrophy", [](const Diagnostics& d) { return d.enstrophy; }},
    {"baroclinic", [](const Diagnostics& d) { return d.baroclinic; }}};

constexpr Column<MixingLayer> columns_of_layer[] = {
    {"bubble_height", [](const MixingLayer& layer) { return layer.bubble_height; }},
    {"spike_height", [](const MixingLayer& layer) { return layer.spike_height; }},
    {"integral_bubble_height", [](const MixingLayer& layer) { return layer.integral_bubble_height; }},
    {"integral_spike_height", [](const MixingLayer& layer) { return layer.integral_spike_height; }},
    {"mixing_width", [](const MixingLayer& layer) { return layer.mixing_width; }},
    {"theta", [](const MixingLayer& layer) { return layer.theta; }}};

std::string header(bool layered) {
  std::string names = "step,time";
  for (const auto& column : columns_of_box) names += std::string(",") + column.name;
  names += ",limited_faces";
  if (layered)
    for (const auto& column : columns_of_layer) names += std::string(",") + column.name;
  return names;
}

}  // namespace

MixingLayer measure_layer(std::span<const PlaneSums> planes, const Grid& grid, const Layers& layers) {
  const Profile profile = profile_of(planes, grid);
  const double interface = layers.interface_height;
  const double cells_in_plane = static_cast<double>(grid.cells[0]) * grid.cells[1];
  double separate = 0, mixed = 0;
  for (std::size_t z = 0; z < planes.size(); ++z) {
    separate += profile.heavy[z] * (1 - profile.heavy[z]);
    mixed += planes[z].mixed_fraction / cells_in_plane;
  }
  MixingLayer layer;
  layer.bubble_height =
      distance_to(0.99, profile, interface, layers.heavy_above ? Direction::up : Direction::down);
  layer.spike_height =
      distance_to(0.01, profile, interface, layers.heavy_above ? Direction::down : Direction::up);
  set_integral_heights(layer, profile, grid, layers.heavy_above);
  layer.mixing_width = 6 * separate * grid.spacing(2);
  layer.theta = separate > 0 ? mixed / separate : 0;
  return layer;
}

Diagnostics diagnose(std::span<const PlaneSums> planes, const Grid& grid, double gravity,
                     const std::optional<Layers>& layers) {
  const double volume = grid.spacing(0) * grid.spacing(1) * grid.spacing(2);
  Diagnostics whole;
  whole.min_density = whole.min_pressure = std::numeric_limits<double>::infinity();
  for (std::size_t z = 0; z < planes.size(); ++z) {
    whole.mass += planes[z].density * volume;
    for (int axis = 0; axis < 3; ++axis) {
      whole.momentum[axis] += planes[z].momentum[axis] * volume;
      whole.kinetic_energy[axis] += planes[z].kinetic_energy[axis] * volume;
    }
    whole.energy += planes[z].energy * volume;
    whole.enstrophy += planes[z].enstrophy * volume;
    whole.baroclinic += planes[z].baroclinic * volume;
    whole.potential_energy -= gravity * grid.centre(2, static_cast<int>(z)) * planes[z].density * volume;
    add_extremes(whole, planes[z]);
  }
  if (layers) whole.layer = measure_layer(planes, grid, *layers);
  return whole;
}

DiagnosticsLog::DiagnosticsLog(const std::string& path, const Grid& grid, double gravity,
                               std::optional<Layers> layers, LastRow last)
    : grid_(grid), gravity_(gravity), layers_(layers), file_(path, header(layers.has_value()), last) {}

Diagnostics DiagnosticsLog::append(std::int64_t step, double time, std::span<const PlaneSums> planes,
                                   std::uint64_t limited_faces) {
  const Diagnostics whole = diagnose(planes, grid_, gravity_, layers_);
  std::string row = fmt::format("{},{:.17g}", step, time);
  for (const auto& column : columns_of_box) row += fmt::format(",{:.17g}", column.value(whole));
  row += fmt::format(",{}", limited_faces);
  if (whole.layer)
    for (const auto& column : columns_of_layer) row += fmt::format(",{:.10g}", column.value(*whole.layer));
  file_.append(row + "\n");
  return whole;
}

}  // namespace tayra
