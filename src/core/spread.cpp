// The median, the least and the most of samples.
#include "core/spread.hpp"

#include <algorithm>

namespace tayra {

Spread spread_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t middle = samples.size() / 2;
  const bool odd = samples.size() % 2 == 1;
  return {odd ? samples[middle] : 0.5 * (samples[middle - 1] + samples[middle]), samples.front(),
          samples.back()};
}

}  // namespace tayra
