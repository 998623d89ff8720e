// Histograms of planes: how many of their cells have a number in which bin. Counts are whole, so that the
// order in which they are taken decides nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/plane_fields.hpp"

namespace tayra {

inline constexpr int most_bins = 4096;  // that a block of a GPU's threads counts in

/// Equal bins from `lower` to `upper`, either end included.
struct Bins {
  double lower, upper;
  int count;

  /// -1: in none of them.
  TAYRA_HD int of(double value) const {
    if (!(value >= lower && value <= upper)) return -1;
    const int bin = static_cast<int>((value - lower) * (count / (upper - lower)));
    return bin < count ? bin : count - 1;
  }
};

/// What is counted.
struct CountedField {
  PlaneField field;
  Bins bins;
};

/// By a CPU: [bin], over planes that count from the slab's first.
template <class Real>
std::vector<std::int64_t> counts_of_planes(const PlanesView<Real>& view, const CountedField& what,
                                           const std::vector<int>& planes) {
  std::vector<std::int64_t> counts(what.bins.count);
  std::int64_t* const bins = counts.data();
  const int nx = view.flow.slab.layout.nx, ny = view.flow.slab.layout.ny;
  for (const int k : planes)
#pragma omp parallel for reduction(+ : bins[:what.bins.count])
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (const int bin = what.bins.of(view.value(what.field, x, y, k)); bin >= 0) ++bins[bin];
  return counts;
}

}  // namespace tayra
