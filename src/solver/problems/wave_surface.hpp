// A sum of random waves over the cells of a plane, tabulated.
#pragma once

#include <complex>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "solver/problems/random_waves.hpp"

namespace tayra {

/// The index of the cell that a point is the centre of.
int cell_index(const Grid& grid, int axis, double offset);

/// Throws Error(bad_input), with a message that begins with the key, where the plane has a single cell.
void require_room_for_waves(const std::string& key, const Grid& grid);

/// exp(i k x) of every whole wave count up to +-highest at every cell centre along an axis.
struct PhaseTable {
  int cells = 0, highest = 0;
  std::vector<std::complex<double>> values{};

  const std::complex<double>& operator()(int m, int cell) const {
    return values[static_cast<std::size_t>(m + highest) * cells + cell];
  }
};

class WaveSurface {
 public:
  /// Waves of root mean square `rms`. Throws Error(bad_input) where the grid can't tell them from others: the
  /// message begins with `key`, a colon and a space.
  WaveSurface(const std::string& key, Band band, std::uint64_t seed, double rms, const Grid& grid);

  const std::vector<RandomWave>& waves() const { return waves_; }
  /// Of one wave in a column of cells; its real part is the wave's height.
  std::complex<double> pattern(const RandomWave& wave, int x, int y) const {
    return wave.amplitude * (phase_x_(wave.mx, x) * phase_y_(wave.my, y));
  }
  /// Many threads may ask at once.
  double at(int x, int y) const { return row(y)[x]; }
  /// The largest height or depth.
  double highest() const;

 private:
  struct Row {
    std::once_flag is_made;
    std::vector<double> heights;
  };
  /// Kept from when it is first asked for: who only samples the start needs few rows.
  const std::vector<double>& row(int y) const;
  std::vector<double> sum_along(int y) const;

  std::vector<RandomWave> waves_;
  PhaseTable phase_x_, phase_y_;
  std::shared_ptr<std::vector<Row>> rows_;
};

}  // namespace tayra
