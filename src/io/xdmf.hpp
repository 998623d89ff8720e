// Lists of fields over time for ParaView and VisIt: XDMF, a temporal collection of boxes of cells.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grid/grid.hpp"

namespace tayra {

struct XdmfField {
  std::string name;
  int components;
  std::string item;  // where its numbers are
};

struct XdmfGrid {
  double time;
  std::array<int, 3> cells;
  Vec3 lower, spacing;
  std::vector<XdmfField> fields;
};

/// How numbers are stored, and for how many times where one dataset holds all.
struct XdmfNumbers {
  int components, bytes;
  std::int64_t room = 0;
};

/// A dataset, as "file:/path".
std::string xdmf_dataset(const std::array<int, 3>& cells, const XdmfNumbers& numbers,
                         const std::string& dataset);
/// A row of one whose first axis is time.
std::string xdmf_row(const std::array<int, 3>& cells, const XdmfNumbers& numbers, std::int64_t row,
                     const std::string& dataset);

std::string xdmf_text(const std::string& name, const std::vector<XdmfGrid>& grids);

}  // namespace tayra
