// Integrals over the box and sizes of the mixing layer, from sums over planes.
#include "io/diagnostics_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tayra {
namespace {

enum class Direction { down = -1, up = 1 };

template <auto sum>
double integral(const BoxState& box) {
  const Grid& grid = box.grid;
  double whole = 0;
  for (const PlaneSums& plane : box.planes)
    whole += plane.*sum * (grid.spacing(0) * grid.spacing(1) * grid.spacing(2));
  return whole;
}

template <Vector<double> PlaneSums::*sum, int axis>
double integral_along(const BoxState& box) {
  const Grid& grid = box.grid;
  double whole = 0;
  for (const PlaneSums& plane : box.planes)
    whole += (plane.*sum)[axis] * (grid.spacing(0) * grid.spacing(1) * grid.spacing(2));
  return whole;
}

template <double PlaneSums::*sum>
double largest(const BoxState& box) {
  double most = 0;
  for (const PlaneSums& plane : box.planes) most = std::max(most, plane.*sum);
  return most;
}

template <double PlaneSums::*sum>
double smallest(const BoxState& box) {
  double least = HUGE_VAL;
  for (const PlaneSums& plane : box.planes) least = std::min(least, plane.*sum);
  return least;
}

double potential_energy(const BoxState& box) {
  if (box.potential_energy) return *box.potential_energy;
  const Grid& grid = box.grid;
  double whole = 0;
  for (std::size_t z = 0; z < box.planes.size(); ++z)
    whole -= box.gravity * grid.centre(2, static_cast<int>(z)) * box.planes[z].density *
             (grid.spacing(0) * grid.spacing(1) * grid.spacing(2));
  return whole;
}

double cells_in_plane(const BoxState& box) {
  return static_cast<double>(box.grid.cells[0]) * box.grid.cells[1];
}

/// <f>: the mean heavy fraction of a plane.
double heavy(const BoxState& box, int z) { return box.planes[z].heavy_fraction / cells_in_plane(box); }

/// Distance from the interface, going up or down, to where the fraction first reaches `level`; linear between
/// plane centres. Going outwards from the interface, faint sound waves far away aren't mistaken for the
/// layer.
double distance_to(double level, const BoxState& box, Direction direction) {
  const Grid& grid = box.grid;
  const double interface = box.layers->interface_height;
  const auto planes = static_cast<int>(box.planes.size());
  const int stride = static_cast<int>(direction);
  const auto height = [&](int z) { return grid.centre(2, z); };
  const auto inside = [&](int z) { return z >= 0 && z < planes; };
  const auto reached = [&](int z) { return level > 0.5 ? heavy(box, z) >= level : heavy(box, z) <= level; };

  int z = direction == Direction::up ? 0 : planes - 1;
  while (inside(z) && (stride * (height(z) - interface) <= 0 || !reached(z))) z += stride;
  if (!inside(z)) return direction == Direction::up ? grid.upper[2] - interface : interface - grid.lower[2];
  const int before = z - stride;
  if (!inside(before) || reached(before)) return 0;
  const double share = (level - heavy(box, before)) / (heavy(box, z) - heavy(box, before));
  return std::max(0., stride * (height(before) + share * (height(z) - height(before)) - interface));
}

/// Bubbles are of light fluid in the heavy one.
Direction of_bubbles(const BoxState& box) {
  return box.layers->heavy_above ? Direction::up : Direction::down;
}
Direction of_spikes(const BoxState& box) { return box.layers->heavy_above ? Direction::down : Direction::up; }

/// 3 ∫ |z - z_c| s dz / ∫ s dz over one side of the layer's centre z_c, where s is the share of the fluid
/// from the other side: the height at which s ends, were it linear (Youngs & Thornber 2020, with m = 1).
/// Planes are taken as uniform layers and cut at the centre, so that nothing jumps when the layer grows past
/// a plane. As much of either fluid lies beyond the centre as of the other: it is where their boundary would
/// be if they were unmixed.
double integral_height(const BoxState& box, Direction side) {
  const Grid& grid = box.grid;
  const auto of_upper = [&](int z) { return box.layers->heavy_above ? heavy(box, z) : 1 - heavy(box, z); };
  const auto share = [&](int z) { return side == Direction::up ? 1 - of_upper(z) : of_upper(z); };
  double centre = grid.lower[2];
  for (int z = 0; z < grid.cells[2]; ++z) centre += (1 - of_upper(z)) * grid.spacing(2);
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

/// Sums over planes: of <f> <1 - f>, and of <f (1 - f)>.
double separate(const BoxState& box) {
  double sum = 0;
  for (int z = 0; z < static_cast<int>(box.planes.size()); ++z) sum += heavy(box, z) * (1 - heavy(box, z));
  return sum;
}
double mixed(const BoxState& box) {
  double sum = 0;
  for (const PlaneSums& plane : box.planes) sum += plane.mixed_fraction / cells_in_plane(box);
  return sum;
}

constexpr DiagnosticsColumn columns_of_box[] = {
    {"mass", integral<&PlaneSums::density>},
    {"momentum_x", integral_along<&PlaneSums::momentum, 0>},
    {"momentum_y", integral_along<&PlaneSums::momentum, 1>},
    {"momentum_z", integral_along<&PlaneSums::momentum, 2>},
    {"energy", integral<&PlaneSums::energy>},
    {"potential_energy", potential_energy},
    {"kinetic_energy_x", integral_along<&PlaneSums::kinetic_energy, 0>},
    {"kinetic_energy_y", integral_along<&PlaneSums::kinetic_energy, 1>},
    {"kinetic_energy_z", integral_along<&PlaneSums::kinetic_energy, 2>},
    {"max_mach", largest<&PlaneSums::max_mach>},
    {"max_w", largest<&PlaneSums::max_speed_w>},
    {"min_density", smallest<&PlaneSums::min_density>},
    {"min_pressure", smallest<&PlaneSums::min_pressure>},
    {"enstrophy", integral<&PlaneSums::enstrophy>},
    {"baroclinic", integral<&PlaneSums::baroclinic>},
    {"limited_faces", [](const BoxState& box) { return static_cast<double>(box.limited_faces); }}};

constexpr DiagnosticsColumn columns_of_layers[] = {
    {"bubble_height", [](const BoxState& box) { return distance_to(0.99, box, of_bubbles(box)); }, 10},
    {"spike_height", [](const BoxState& box) { return distance_to(0.01, box, of_spikes(box)); }, 10},
    {"integral_bubble_height", [](const BoxState& box) { return integral_height(box, of_bubbles(box)); }, 10},
    {"integral_spike_height", [](const BoxState& box) { return integral_height(box, of_spikes(box)); }, 10},
    {"mixing_width", [](const BoxState& box) { return 6 * separate(box) * box.grid.spacing(2); }, 10},
    {"theta", [](const BoxState& box) { return separate(box) > 0 ? mixed(box) / separate(box) : 0; }, 10}};

}  // namespace

std::vector<DiagnosticsColumn> diagnostics_columns(bool layered, bool gravity_varies) {
  std::vector<DiagnosticsColumn> columns(std::begin(columns_of_box), std::end(columns_of_box));
  if (gravity_varies) columns.push_back({"gravity", [](const BoxState& box) { return box.gravity; }});
  if (layered) columns.insert(columns.end(), std::begin(columns_of_layers), std::end(columns_of_layers));
  return columns;
}

std::string diagnostics_header(bool layered, bool gravity_varies) {
  std::string names = "step,time";
  for (const auto& column : diagnostics_columns(layered, gravity_varies))
    names += std::string(",") + column.name;
  return names;
}

std::string diagnostics_row(std::int64_t step, double time, const BoxState& box) {
  std::string row = fmt::format("{},{:.17g}", step, time);
  for (const auto& [name, value, digits] :
       diagnostics_columns(box.layers.has_value(), box.potential_energy.has_value()))
    row += fmt::format(",{:.{}g}", value(box), digits);
  return row + "\n";
}

}  // namespace tayra
