// Plans of slabs that are stacked along z.
#pragma once

#include <cstddef>
#include <vector>

#include "halo/plan.hpp"

namespace tayra {

inline ExchangePlan plan_of_stacked(const std::vector<int>& planes, std::size_t plane_bytes, bool periodic) {
  std::vector<PlannedSlab> slabs;
  for (const int count : planes) slabs.push_back({count, plane_bytes});
  return make_exchange_plan(slabs, 1, periodic, false);
}

}  // namespace tayra
