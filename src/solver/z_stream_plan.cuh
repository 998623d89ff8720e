// How a sweep on a GPU cuts the columns of its tiles into z-streams, each of which a block of threads takes.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "solver/sweep.hpp"

namespace tayra {

/// A column cut into z-streams of so many planes, from the lowest of either range up.
struct ColumnCut {
  int depth;
  int low, all;  // z-streams up the low range, and up both

  ColumnCut(const Planes& planes, int planes_of_a_stream)
      : depth(planes_of_a_stream), low(streams_up(planes.low)), all(low + streams_up(planes.high)) {}

  /// By the z-stream's number; none where there is no such z-stream.
  TAYRA_HD PlaneRange planes_of(const Planes& planes, int z_stream) const {
    if (z_stream >= all) return {0, 0};
    const PlaneRange range = z_stream < low ? planes.low : planes.high;
    const int begin = range.begin + (z_stream < low ? z_stream : z_stream - low) * depth;
    return {begin, begin + depth < range.end ? begin + depth : range.end};
  }

 private:
  int streams_up(const PlaneRange& planes) const { return (planes.count() + depth - 1) / depth; }
};

struct ZStreamPlace {
  int tile_row;
  PlaneRange planes;  // none: there is nothing to do
};

/// Long z-streams up the first rows of tiles, short ones up the others. A block's third number is that of a
/// long z-stream, or of a layer of blocks above those that numbers the short ones.
struct ZStreamCut {
  ColumnCut longer, shorter;
  int tile_rows, long_rows;

  ZStreamCut(const ColumnCut& of_all, int rows)
      : longer(of_all), shorter(of_all), tile_rows(rows), long_rows(rows) {}
  ZStreamCut(const ColumnCut& of_first, const ColumnCut& of_last, int rows, int first_rows)
      : longer(of_first), shorter(of_last), tile_rows(rows), long_rows(first_rows) {}

  TAYRA_HD int short_rows() const { return tile_rows - long_rows; }
  int layers() const { return longer.all + (short_rows() * shorter.all + tile_rows - 1) / tile_rows; }

  TAYRA_HD ZStreamPlace place(const Planes& planes, int row, int layer) const {
    if (layer < longer.all)
      return {row, row < long_rows ? longer.planes_of(planes, layer) : PlaneRange{0, 0}};
    const int number = (layer - longer.all) * tile_rows + row;
    return {long_rows + number % short_rows(), shorter.planes_of(planes, number / short_rows())};
  }
};

struct ZStreamPlan {
  ZStreamCut cut;
  double cost;  // in planes of a tile of its kind
};

/// Planes' worth of time before the first is done (a guess that serves).
inline constexpr double start_of_stream = 2.5;

/// Weighs ways to cut the columns of all tiles into z-streams.
class ZStreamPlanner {
 public:
  /// No z-stream is longer than `longest`.
  ZStreamPlanner(const Planes& planes, const dim3& tiles, int blocks_at_once, int longest)
      : planes_(planes),
        tile_columns_(static_cast<int>(tiles.x)),
        tile_rows_(static_cast<int>(tiles.y)),
        blocks_at_once_(blocks_at_once),
        longest_(longest) {}

  /// Long z-streams read the fewest planes twice, short ones keep every multiprocessor busy: as equal as they
  /// can be, or long ones and short ones that fill the last wave, of the planes that are left above or of the
  /// last tiles.
  ZStreamPlan best() {
    constexpr int most_waves = 8;
    const int most = std::max(planes_.low.count(), planes_.high.count());
    const int fewest_streams = (most - 1) / longest_ + 1;
    int considered = 0;
    for (int waves = 1; waves <= most_waves; ++waves) {
      const int z_streams = std::max(fewest_streams, waves * blocks_at_once_ / (tile_columns_ * tile_rows_));
      if (z_streams == considered) continue;
      considered = z_streams;
      const int equal = (most + z_streams - 1) / z_streams;
      consider_all_alike(equal);
      for (const int shorter : {16, 32, 64}) {  // fewer are not worth a start
        if (const int depth = (most - shorter) / z_streams; depth > shorter) consider_all_alike(depth);
        if (equal > shorter) consider_short_tiles(equal, shorter);
      }
    }
    return best_;
  }

 private:
  /// That take equally long.
  struct ZStreams {
    int count;
    double cost;  // of each
  };

  void consider_all_alike(int depth) {
    const int tiles = tile_columns_ * tile_rows_, low = planes_.low.count(), high = planes_.high.count();
    weigh({ColumnCut(planes_, depth), tile_rows_},
          {tiles * (low / depth + high / depth), depth + start_of_stream},
          {tiles * ((low % depth > 0) + (high % depth > 0)),
           std::max(low % depth, high % depth) + start_of_stream});
  }
  /// Of all tiles but those of the last wave.
  void consider_short_tiles(int depth, int short_depth) {
    const ColumnCut longer(planes_, depth), shorter(planes_, short_depth);
    const int streams_of_row = tile_columns_ * longer.all;
    const int full_waves = streams_of_row * tile_rows_ / blocks_at_once_;
    const int long_rows = full_waves * blocks_at_once_ / streams_of_row;
    if (long_rows == 0 || long_rows == tile_rows_) return;
    weigh({longer, shorter, tile_rows_, long_rows}, {streams_of_row * long_rows, depth + start_of_stream},
          {tile_columns_ * shorter.all * (tile_rows_ - long_rows), short_depth + start_of_stream});
  }
  void weigh(const ZStreamCut& cut, const ZStreams& longer, const ZStreams& shorter) {
    const double cost = cost_of(longer, shorter);
    if (cost < best_.cost) best_ = {cut, cost};
  }
  /// Of long z-streams, then of short ones, which begin where the last wave of the long leaves
  /// multiprocessors idle.
  double cost_of(const ZStreams& longer, const ZStreams& shorter) const {
    const int idle = waves(longer.count) * blocks_at_once_ - longer.count;
    const int done_meanwhile = idle * static_cast<int>(longer.cost / shorter.cost);
    return waves(longer.count) * longer.cost +
           waves(std::max(0, shorter.count - done_meanwhile)) * shorter.cost;
  }
  int waves(int z_streams) const { return (z_streams + blocks_at_once_ - 1) / blocks_at_once_; }

  const Planes planes_;
  const int tile_columns_, tile_rows_, blocks_at_once_, longest_;
  ZStreamPlan best_{{ColumnCut(planes_, 1), 1}, 1e300};
};

}  // namespace tayra
