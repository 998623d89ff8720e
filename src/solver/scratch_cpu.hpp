// What a thread keeps of the tile that it streams through.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "core/host_memory.hpp"
#include "core/simd.hpp"
#include "physics/state.hpp"
#include "solver/tiles_cpu.hpp"

namespace tayra {

template <class Real>
inline constexpr int widest_tile = 1024 / sizeof(Real);

/// Memory of one thread's tile: cells with a apron in x and y, and face fluxes, row by row, word by word.
/// Only packs of x faces lie across two cache lines, which costs twice. A row's words lie a fixed
/// distance apart, known to the compiler, so that one register is enough for all of them.
template <class Real, int cell_words>
class Scratch {
 public:
  static constexpr int lanes = Pack<Real>::size();
  static constexpr int ring_planes = 4;
  static constexpr int apron = 2;
  static_assert(lanes >= apron, "the pack before column 0 holds the apron");
  static constexpr std::size_t word_stride = widest_tile<Real> + 2 * lanes;
  static std::size_t bytes_of_row(int width) {
    return (ring_planes * cell_words + field_variables) * (width + 2 * lanes) * sizeof(Real);
  }

  void fit(const CpuTile& tile) {
    rows_of_cells_ = tile.height + 2 * apron;
    const std::size_t cell_rows = cell_words * ring_planes * rows_of_cells_;
    const std::size_t size = (cell_rows + field_variables * (tile.height + 3)) * word_stride;
    if (size_ < size) {
      memory_.reset(static_cast<Real*>(allocate_host_bytes(size * sizeof(Real))));
      size_ = size;
    }
    cells_ = memory_.get();
    x_difference_ = cells_ + cell_rows * word_stride;
    y_fluxes_ = x_difference_ + field_variables * word_stride;
    z_fluxes_ = y_fluxes_ + 2 * field_variables * word_stride;
  }

  /// Words of the cell at column 0, row j of plane k.
  Real* cells(int k, int j) {
    const std::size_t row = (k + ring_planes) % ring_planes * rows_of_cells_ + j + apron;
    return cells_ + row * cell_words * word_stride + lanes;
  }
  /// Fluxes through the upper face of row j, those of the plane below until they are computed.
  Real* z_flux(int j) { return z_fluxes_ + std::size_t(j) * field_variables * word_stride; }
  /// Fluxes through the upper faces of row j.
  Real* y_flux(int j) { return y_fluxes_ + (j + 2) % 2 * field_variables * word_stride; }
  /// Of each cell of a row: what flows in along x less what flows out; after the last stage its new state.
  Real* x_difference() { return x_difference_; }

 private:
  struct Free {
    void operator()(Real* memory) const { std::free(memory); }
  };

  std::unique_ptr<Real, Free> memory_;
  std::size_t size_ = 0;
  Real* cells_ = nullptr;
  Real* x_difference_ = nullptr;
  Real* y_fluxes_ = nullptr;
  Real* z_fluxes_ = nullptr;
  std::size_t rows_of_cells_ = 0;
};

}  // namespace tayra
