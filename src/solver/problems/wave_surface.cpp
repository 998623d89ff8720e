// First the sum over all waves of one m_x, then that over m_x: an order that doesn't depend on the cell.
#include "solver/problems/wave_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"

namespace tayra {
namespace {

using Complex = std::complex<double>;

PhaseTable phases(const Grid& grid, int axis, const std::vector<RandomWave>& waves, int RandomWave::*count) {
  PhaseTable table{.cells = grid.cells[axis]};
  for (const RandomWave& wave : waves) table.highest = std::max(table.highest, std::abs(wave.*count));
  const double unit = 2 * std::numbers::pi / grid.length(axis);
  for (int m = -table.highest; m <= table.highest; ++m)
    for (int i = 0; i < table.cells; ++i)
      table.values.push_back(std::polar(1., m * unit * grid.offset(axis, i)));
  return table;
}

void require_resolved(const std::string& key, Band band, const Grid& grid) {
  require(band.lowest <= band.highest, ExitCode::bad_input,
          fmt::format("{}: [{}, {}]: the lowest must come first", key, band.lowest, band.highest));
  require_room_for_waves(key, grid);
  const double longest = std::max(grid.side(0), grid.side(1));
  for (const int axis : {0, 1}) {
    const auto count = static_cast<int>(static_cast<double>(band.highest) * grid.side(axis) / longest);
    require(2 * count < grid.cells[axis], ExitCode::bad_input,
            fmt::format("{}: {} waves along {} need more than {} cells, there are {}: lower them or refine "
                        "the grid",
                        key, count, "xy"[axis], 2 * count, grid.cells[axis]));
  }
}

std::vector<RandomWave> resolved_waves(const std::string& key, Band band, std::uint64_t seed, double rms,
                                       const Grid& grid) {
  require_resolved(key, band, grid);
  return random_waves(band, {grid.side(0), grid.side(1)}, seed, rms);
}

}  // namespace

void require_room_for_waves(const std::string& key, const Grid& grid) {
  require(grid.varies_along(0) || grid.varies_along(1), ExitCode::bad_input,
          fmt::format("{}: waves need cells along x or y, where grid.cells has 1: give more along one", key));
}

int cell_index(const Grid& grid, int axis, double offset) {
  const long index = std::lround(offset / grid.spacing(axis) + 0.5 * (grid.cells[axis] - 1));
  return static_cast<int>(std::clamp(index, 0L, grid.cells[axis] - 1L));
}

WaveSurface::WaveSurface(const std::string& key, Band band, std::uint64_t seed, double rms, const Grid& grid)
    : waves_(resolved_waves(key, band, seed, rms, grid)),
      phase_x_(phases(grid, 0, waves_, &RandomWave::mx)),
      phase_y_(phases(grid, 1, waves_, &RandomWave::my)),
      rows_(std::make_shared<std::vector<Row>>(grid.cells[1])) {}

double WaveSurface::highest() const {
  double highest = 0;
#pragma omp parallel for reduction(max : highest)
  for (int y = 0; y < phase_y_.cells; ++y)
    for (const double height : sum_along(y)) highest = std::max(highest, std::abs(height));
  return highest;
}

const std::vector<double>& WaveSurface::row(int y) const {
  Row& row = (*rows_)[y];
  std::call_once(row.is_made, [&] { row.heights = sum_along(y); });
  return row.heights;
}

std::vector<double> WaveSurface::sum_along(int y) const {
  std::vector<Complex> sums(phase_x_.highest + 1);
  for (const RandomWave& wave : waves_) sums[wave.mx] += wave.amplitude * phase_y_(wave.my, y);
  std::vector<double> row(phase_x_.cells);
  for (int x = 0; x < phase_x_.cells; ++x) {
    Complex height{};
    for (std::size_t mx = 0; mx < sums.size(); ++mx) height += sums[mx] * phase_x_(static_cast<int>(mx), x);
    row[x] = height.real();
  }
  return row;
}

}  // namespace tayra
