// What is summed over a plane: plain numbers, so that a device can hold and combine them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/number.hpp"
#include "core/tree_sum.hpp"
#include "grid/decomposition.hpp"
#include "physics/state.hpp"

namespace tayra {

/// Sums over one z-plane or some of its cells, in an order that doesn't depend on slabs; conserved sums are
/// per unit cell volume.
struct PlaneSums {
  double density = 0;
  Vector<double> momentum{};
  double energy = 0;                // total: internal + kinetic
  Vector<double> kinetic_energy{};  // of the motion along each axis
  double heavy_fraction = 0;        // sum of f, volume fraction of the heavy fluid, in [0, 1]
  double mixed_fraction = 0;        // sum of f (1 - f)
  double enstrophy = 0;             // sum of half the vorticity squared
  double baroclinic = 0;            // sum of what pressure adds to that in a unit of time
  double max_mach = 0;
  double max_speed_w = 0;  // max |w|
  double min_density = HUGE_VAL;
  double min_pressure = HUGE_VAL;
  std::uint64_t fingerprint = 0;  // of the exact bits of all its cells
};

/// Mass: densities and fingerprints alone, as audits want them. Density: no fingerprints either. For all a
/// cell's neighbours are read.
enum class Sums { all, mass, density };

TAYRA_HD void combine(PlaneSums& sum, const PlaneSums& part) {
  sum.density += part.density;
  for (int axis = 0; axis < 3; ++axis) sum.momentum[axis] += part.momentum[axis];
  sum.energy += part.energy;
  for (int axis = 0; axis < 3; ++axis) sum.kinetic_energy[axis] += part.kinetic_energy[axis];
  sum.heavy_fraction += part.heavy_fraction;
  sum.mixed_fraction += part.mixed_fraction;
  sum.enstrophy += part.enstrophy;
  sum.baroclinic += part.baroclinic;
  sum.max_mach = maximum(sum.max_mach, part.max_mach);
  sum.max_speed_w = maximum(sum.max_speed_w, part.max_speed_w);
  sum.min_density = minimum(sum.min_density, part.min_density);
  sum.min_pressure = minimum(sum.min_pressure, part.min_pressure);
  sum.fingerprint += part.fingerprint;
}

// A plane is summed group by group of its rows, and groups by a tree (tree_sum.hpp). So a slab that holds
// some of a plane's groups sums up branches of it, and others add these to the same bits.
/// Groups of rows that a slab holds, as the box counts them.
struct RowGroups {
  int first, end;
  TAYRA_HD RowGroups(int first_row, int rows)
      : first(first_row / rows_of_group), end((first_row + rows + rows_of_group - 1) / rows_of_group) {}
  TAYRA_HD int count() const { return end - first; }
  /// The slab's branches.
  template <class Act>
  TAYRA_HD void for_each_branch(const Act& act) const {
    tayra::for_each_branch(first, end, act);
  }
  TAYRA_HD int branches() const {
    int number = 0;
    for_each_branch([&](int, int) { ++number; });
    return number;
  }
};

/// The sums of whole planes, of slabs side by side that hold these groups of each: [slab][plane][branch].
std::vector<PlaneSums> whole_planes(const std::vector<PlaneSums>& branches,
                                    const std::vector<RowGroups>& side_by_side);

/// Spreads a change of any bit over all bits (the finalizer of splitmix64, Steele, Lea & Flood 2014).
TAYRA_HD std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

/// Of a whole state from its planes: equal for equal bits, however the box is cut.
inline std::uint64_t fingerprint_of(const std::vector<PlaneSums>& planes) {
  std::uint64_t sum = 0;
  for (const PlaneSums& plane : planes) sum = mixed(sum + plane.fingerprint);
  return sum;
}

}  // namespace tayra
