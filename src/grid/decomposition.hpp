// The box cut along z and y, and cells picked along an axis.
#pragma once

#include <algorithm>
#include <vector>

#include "core/number.hpp"

namespace tayra {

struct SlabRange {
  int first;  // plane of the box
  int planes;
};

struct RowRange {
  int first;  // row of the box
  int rows;
};

/// Every so many cells along an axis.
struct AxisSelection {
  int first;
  int count;
  int stride;
  TAYRA_HD int at(int i) const { return first + i * stride; }
};

/// As even as possible; the first slabs get the planes that are left over.
inline std::vector<SlabRange> cut_into_slabs(int planes, int slabs) {
  std::vector<SlabRange> ranges;
  for (int slab = 0, first = 0; slab < slabs; first += ranges[slab++].planes)
    ranges.push_back({first, planes / slabs + (slab < planes % slabs ? 1 : 0)});
  return ranges;
}

/// Cuts lie at multiples of at least this many rows, which sums over planes are made of.
inline constexpr int rows_of_group = 4;

/// As even as possible at multiples of so many rows; the last slab gets the rows that are left over.
inline std::vector<RowRange> cut_into_rows(int rows, int cut, int apart = rows_of_group) {
  if (cut == 1) return {{0, rows}};
  std::vector<RowRange> ranges;
  for (const SlabRange& groups : cut_into_slabs(rows / apart, cut))
    ranges.push_back({apart * groups.first, apart * groups.planes});
  ranges.back().rows = rows - ranges.back().first;
  return ranges;
}

/// Which of some selected rows of the box are among these, counted from the first that is selected.
inline RowRange selected_among(const AxisSelection& y, const RowRange& rows) {
  const auto before = [&](int row) {
    return std::clamp((row - y.first + y.stride - 1) / y.stride, 0, y.count);
  };
  const int first = before(rows.first);
  return {first, before(rows.first + rows.rows) - first};
}

}  // namespace tayra
