// Histograms of planes by a CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/plane_counts.hpp"

namespace tayra {

/// [bin], over planes that count from the slab's first.
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
