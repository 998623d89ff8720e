// Where a ghost cell takes its state from.
#pragma once

#include "core/number.hpp"
#include "grid/grid.hpp"

namespace tayra {

struct Source {
  int index;     // of the cell that is read
  bool flipped;  // whether the momentum normal to the boundary changes sign
};

/// For cell i of an axis with n cells, up to n beyond either end.
TAYRA_HD Source ghost_source(int i, int n, Boundary boundary) {
  if (i >= 0 && i < n) return {i, false};
  if (boundary == Boundary::periodic) return {i < 0 ? i + n : i - n, false};
  if (boundary == Boundary::mirror) return {i < 0 ? -1 - i : 2 * n - 1 - i, true};
  return {i < 0 ? 0 : n - 1, false};
}

}  // namespace tayra
