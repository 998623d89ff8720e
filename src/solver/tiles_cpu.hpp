// How a CPU's sweep cuts a slab, and what a thread keeps of the tile that it streams through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "core/host_memory.hpp"
#include "core/simd.hpp"
#include "solver/sweep.hpp"

namespace tayra {

struct CpuTile {
  int x, y;           // first cell
  int width, height;  // cells
  PlaneRange planes;
};

/// Tiles as tall as the cache allows, and enough of them along z to occupy every thread.
class Tiles {
 public:
  Tiles(const Layout& layout, const Planes& planes, int widest, std::size_t (*bytes_of_row)(int width),
        int threads)
      : layout_(layout), planes_(planes) {
    width_ = std::min(layout.nx, widest);
    const int tallest = std::max(1, int(bytes / bytes_of_row(width_)));
    const int rows_wanted = (layout.ny + tallest - 1) / tallest;
    height_ = (layout.ny + rows_wanted - 1) / rows_wanted;
    columns_ = (layout.nx + width_ - 1) / width_;
    rows_ = (layout.ny + height_ - 1) / height_;
    const int most_planes = std::max(planes.low.count(), planes.high.count());
    depth_ =
        best_depth(most_planes, std::max(8, least_cells / (width_ * height_)), columns_ * rows_, threads);
  }

  int count() const { return columns_ * rows_ * (chunks(planes_.low) + chunks(planes_.high)); }

  CpuTile operator[](int number) const {
    const int x = number % columns_ * width_;
    const int y = number / columns_ % rows_ * height_;
    const int chunk = number / (columns_ * rows_);
    const bool low = chunk < chunks(planes_.low);
    const PlaneRange& range = low ? planes_.low : planes_.high;
    const int k = range.begin + (low ? chunk : chunk - chunks(planes_.low)) * depth_;
    return {x,
            y,
            std::min(width_, layout_.nx - x),
            std::min(height_, layout_.ny - y),
            {k, std::min(k + depth_, range.end)}};
  }

 private:
  int chunks(const PlaneRange& range) const { return (range.count() + depth_ - 1) / depth_; }

  static constexpr std::size_t bytes = 576 << 10;  // of a second-level cache of 1 MB or more that is shared
  static constexpr int least_cells = 2048;         // that are worth a thread

  /// Long tiles make the fewest planes twice; of short ones every thread gets as many as the others.
  static int best_depth(int planes, int least, int tiles_of_plane, int threads) {
    constexpr double start = 1;  // of a tile costs about as much as a plane
    constexpr int most_turns = 16;
    int best = planes;
    double best_time = 0;
    for (int chunks = 1; chunks == 1 || chunks * least <= planes; ++chunks) {
      const int depth = (planes + chunks - 1) / chunks;
      const int turns = (tiles_of_plane * chunks + threads - 1) / threads;
      const double time = turns * (depth + start);
      if (chunks == 1 || time < best_time) {
        best = depth;
        best_time = time;
      }
      if (turns > most_turns) break;
    }
    return best;
  }

  const Layout& layout_;
  const Planes& planes_;
  int width_, height_, columns_, rows_, depth_;
};

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
    const std::size_t size = (cell_rows + field_variables * (tile.height + 3) + 1) * word_stride;
    if (size_ < size) {
      memory_.reset(static_cast<Real*>(allocate_host_bytes(size * sizeof(Real))));
      size_ = size;
    }
    cells_ = memory_.get();
    x_difference_ = cells_ + cell_rows * word_stride;
    y_fluxes_ = x_difference_ + field_variables * word_stride;
    z_fluxes_ = y_fluxes_ + 2 * field_variables * word_stride;
    x_mass_ = z_fluxes_ + std::size_t(tile.height) * field_variables * word_stride;
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
  /// Through the lower x faces of a row's cells, and through the last one's upper.
  Real* x_mass() { return x_mass_; }

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
  Real* x_mass_ = nullptr;
  std::size_t rows_of_cells_ = 0;
};

}  // namespace tayra
