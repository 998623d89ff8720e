// What a CPU sums over a plane that is made of differences: by rows of velocity and pressure, which it
// computes by SIMD. Cell by cell, as on a GPU, it took five times as long (64 x 64 x 128 cells: 56 instead of
// 11 ms; a step takes 15).
#pragma once

#include <cstddef>
#include <vector>

#include "solver/cell_sums.hpp"
#include "solver/output_fields.hpp"

namespace tayra {

/// A row of a slab with those around it.
class RowAmongOthers {
 public:
  explicit RowAmongOthers(int cells) : cells_(cells), numbers_(5 * 5 * static_cast<std::size_t>(cells)) {}

  /// Adds the rotation in its cells.
  template <class Real>
  void add(PlaneSums& sums, const FlowView<Real>& flow, int y, int k) {
    const Slab<Real>& slab = flow.slab;
    fill(here, flow, y, k);
    fill(south, flow, row_source(y - 1, slab).index, k);
    fill(north, flow, row_source(y + 1, slab).index, k);
    fill(below, flow, y, plane_source(k - 1, slab).index);
    fill(above, flow, y, plane_source(k + 1, slab).index);
    const Vector<double> per_cells = per_two_cells(flow.spacing);
    const int nx = slab.layout.nx;
    for (int x = 0; x < nx; ++x) {
      const int west = ghost_source(x - 1, nx, slab.x).index, east = ghost_source(x + 1, nx, slab.x).index;
      const Neighbours<Cell> cells{{cell(here, west), cell(south, x), cell(below, x)},
                                   {cell(here, east), cell(north, x), cell(above, x)}};
      const Rotation found = rotation_of(cells, cell(here, x).density(), per_cells);
      sums.enstrophy += found.enstrophy;
      sums.baroclinic += found.baroclinic;
    }
  }

 private:
  enum Row { here, south, north, below, above };
  struct Cell {
    const double* at;
    std::ptrdiff_t apart;  // of its numbers
    double density() const { return at[0]; }
    double velocity(int axis) const { return at[(1 + axis) * apart]; }
    double pressure() const { return at[4 * apart]; }
  };
  Cell cell(Row row, int x) const { return {numbers_.data() + 5 * row * cells_ + x, cells_}; }

  /// Without states and vectors, which the compiler would move about as a whole instead of using SIMD.
  template <class Real>
  void fill(Row row, const FlowView<Real>& flow, int y, int k) {
    const std::ptrdiff_t cells = cells_, plane = flow.slab.layout.variable_stride();
    const Real* from = flow.u + flow.slab.layout.plane_start(k) + y * cells;
    const double background = static_cast<double>(flow.slab.background[k].pressure);
    const double gamma_minus_1 = flow.gamma - 1;
    double* to = numbers_.data() + 5 * row * cells;
#pragma omp simd
    for (std::ptrdiff_t x = 0; x < cells; ++x) {
      const double density = from[x], u = double(from[plane + x]) / density,
                   v = double(from[2 * plane + x]) / density, w = double(from[3 * plane + x]) / density;
      to[x] = density;
      to[cells + x] = u;
      to[2 * cells + x] = v;
      to[3 * cells + x] = w;
      to[4 * cells + x] = background + gamma_minus_1 * (double(from[4 * plane + x]) -
                                                        0.5 * density * ((u * u + v * v) + w * w));
    }
  }

  std::ptrdiff_t cells_;
  std::vector<double> numbers_;
};

}  // namespace tayra
