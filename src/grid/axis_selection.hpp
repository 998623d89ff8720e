// Every so many cells along an axis.
#pragma once

#include "core/number.hpp"

namespace tayra {

struct AxisSelection {
  int first;
  int count;
  int stride;
  TAYRA_HD int at(int i) const { return first + i * stride; }
};

}  // namespace tayra
