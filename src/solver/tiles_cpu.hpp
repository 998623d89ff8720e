// How a CPU's sweep cuts a slab.
#pragma once

#include <algorithm>
#include <cstddef>

#include "grid/layout.hpp"
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

}  // namespace tayra
