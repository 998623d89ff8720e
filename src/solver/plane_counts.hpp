// Histograms of planes: how many of their cells have a number in which bin. Counts are whole, so that the
// order in which they are taken decides nothing.
#pragma once

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

}  // namespace tayra
