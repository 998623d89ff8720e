// Repeated measurements as three numbers.
#pragma once

#include <algorithm>
#include <vector>

namespace tayra {

struct Spread {
  double median;
  double least;
  double most;
};

/// Of at least one sample.
inline Spread spread_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  const bool odd = samples.size() % 2 == 1;
  return {odd ? samples[middle] : 0.5 * (samples[middle - 1] + samples[middle]), samples.front(),
          samples.back()};
}

}  // namespace tayra
