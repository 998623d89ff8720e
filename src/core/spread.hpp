// Repeated measurements as three numbers.
#pragma once

#include <vector>

namespace tayra {

struct Spread {
  double median;
  double least;
  double most;
};

/// Of at least one sample.
Spread spread_of(std::vector<double> samples);

}  // namespace tayra
