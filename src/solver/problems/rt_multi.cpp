// rt_multi: random waves of a band of wavenumbers on the interface of a heavy fluid above a light one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>

#include "core/error.hpp"
#include "solver/problems/layered.hpp"
#include "solver/problems/random_waves.hpp"

namespace tayra::problems {
namespace {

using Complex = std::complex<double>;

// Every wave is solved for and summed in every cell, unless only the interface is perturbed.
constexpr std::size_t most_waves_in_depth = 2000;

/// The index of the cell that a point is the centre of.
int cell_index(const Grid& grid, int axis, double offset) {
  const long index = std::lround(offset / grid.spacing(axis) + 0.5 * (grid.cells[axis] - 1));
  return static_cast<int>(std::clamp(index, 0L, grid.cells[axis] - 1L));
}

/// exp(i k x) of every whole wave count up to +-highest at every cell centre along an axis.
struct PhaseTable {
  int cells = 0, highest = 0;
  std::vector<Complex> values{};

  const Complex& operator()(int m, int cell) const {
    return values[static_cast<std::size_t>(m + highest) * cells + cell];
  }
};

PhaseTable phases(const Grid& grid, int axis, const std::vector<RandomWave>& waves, int RandomWave::*count) {
  PhaseTable table{.cells = grid.cells[axis]};
  for (const RandomWave& wave : waves) table.highest = std::max(table.highest, std::abs(wave.*count));
  const double unit = 2 * std::numbers::pi / grid.length(axis);
  for (int m = -table.highest; m <= table.highest; ++m)
    for (int i = 0; i < table.cells; ++i)
      table.values.push_back(std::polar(1., m * unit * grid.offset(axis, i)));
  return table;
}

/// Zero along an axis of one cell, where nothing varies.
std::array<double, 2> sides_of_waves(const Grid& grid) {
  const auto side = [&](int axis) { return grid.varies_along(axis) ? grid.length(axis) : 0; };
  return {side(0), side(1)};
}

void require_resolved(Band band, const Grid& grid) {
  const auto sides = sides_of_waves(grid);
  const double side = std::max(sides[0], sides[1]);
  require(side > 0, ExitCode::bad_input,
          "name: waves need cells along x or y, where grid.cells has 1: give more along one");
  for (const int axis : {0, 1}) {
    const auto count = static_cast<int>(static_cast<double>(band.highest) * sides[axis] / side);
    require(2 * count < grid.cells[axis], ExitCode::bad_input,
            fmt::format(
                "modes: {} waves along {} need more than {} cells, there are {}: lower them or refine the "
                "grid",
                count, "xy"[axis], 2 * count, grid.cells[axis]));
  }
}

class RtMulti final : public RayleighTaylor {
 public:
  std::vector<Key> keys(const ProblemSetting& setting) override {
    std::vector<Key> all = RayleighTaylor::keys(setting);
    key_named("amplitude", all).meaning =
        "root mean square over the plane of the interface's rise; with perturb: velocity, of its vertical "
        "speed";
    key_named("perturb", all).meaning +=
        ". velocity and eigenmode need grid.boundary.x and grid.boundary.y: periodic";
    all.push_back(
        key("modes", modes_,
            "lowest and highest wavenumber, as numbers of whole waves across the wider side of the box (of x "
            "and y; an axis of one cell has no waves)",
            {.at_least = 1, .at_most = 4096}));
    all.push_back(key("seed", seed_, "number that picks one of many random starts", {.at_least = 0}));
    return all;
  }

  std::unique_ptr<Problem> make(const ProblemSetting& setting) const override {
    auto made = std::make_unique<RtMulti>(*this);
    made->fit(setting);
    const Band band{modes_[0], modes_[1]};
    require(band.lowest <= band.highest, ExitCode::bad_input,
            fmt::format("modes: [{}, {}]: the lowest must come first", band.lowest, band.highest));
    require_resolved(band, setting.grid);
    made->waves_ = random_waves(band, sides_of_waves(setting.grid), seed_, made->amplitude());
    if (perturb_ != Perturb::interface) made->require_feasible_in_depth();
    made->tabulate();
    made->require_possible_rise(made->highest_rise());
    return made;
  }

  Primitive initial(const Point& point) const override {
    const Grid& grid = setting_.grid;
    const int x = cell_index(grid, 0, point.offset[0]), y = cell_index(grid, 1, point.offset[1]);
    const double z = point.position[2];
    if (perturb_ == Perturb::interface) return at_rest(z, rise_in_row(y)[x]);
    Primitive gas = at_rest(z, 0);
    add_waves(gas, x, y, cell_index(grid, 2, point.offset[2]));
    return gas;
  }

 private:
  struct Row {
    std::once_flag is_made;
    std::vector<double> rise;
  };

  double wavelength(const Grid& grid) const override {
    return std::max(grid.length(0), grid.length(1)) / static_cast<double>(modes_[0]);
  }
  double least_wavenumber() const override {
    double least = std::numeric_limits<double>::infinity();
    for (const RandomWave& wave : waves_) least = std::min(least, wave.total_wavenumber);
    return least;
  }

  void require_feasible_in_depth() const {
    const auto& boundary = setting_.grid.boundary;
    require(boundary[0] == Boundary::periodic && boundary[1] == Boundary::periodic, ExitCode::bad_input,
            "perturb: random velocities don't vanish at walls: set grid.boundary.x and y to periodic, or "
            "perturb: "
            "interface");
    require(waves_.size() <= most_waves_in_depth, ExitCode::bad_input,
            fmt::format(
                "modes: hold {} waves, but velocity and eigenmode allow at most {}: narrow the band, or set "
                "perturb: interface",
                waves_.size(), most_waves_in_depth));
  }

  /// Also one row of heights for every distinct wavenumber.
  void tabulate() {
    const Grid& grid = setting_.grid;
    phase_x_ = phases(grid, 0, waves_, &RandomWave::mx);
    phase_y_ = phases(grid, 1, waves_, &RandomWave::my);
    rows_ = std::make_shared<std::vector<Row>>(grid.cells[1]);
    if (perturb_ == Perturb::interface) return;
    std::map<double, std::size_t> rows;
    for (const RandomWave& wave : waves_) {
      const auto [row, is_new] = rows.try_emplace(wave.total_wavenumber, modes_in_depth_.size());
      row_of_wave_.push_back(row->second);
      if (!is_new) continue;
      const auto mode = vertical_mode(wave.total_wavenumber);
      std::vector<VerticalMode>& heights = modes_in_depth_.emplace_back();
      for (int z = 0; z < grid.cells[2]; ++z) heights.push_back(mode(grid.centre(2, z)));
    }
  }

  double highest_rise() const {
    double highest = 0;
#pragma omp parallel for reduction(max : highest)
    for (int y = 0; y < phase_y_.cells; ++y)
      for (const double rise : rise_along_row(y)) highest = std::max(highest, std::abs(rise));
    return highest;
  }

  /// The interface's height: first the sum over all waves of one m_x, then that over m_x.
  std::vector<double> rise_along_row(int y) const {
    std::vector<Complex> sums(phase_x_.highest + 1);
    for (const RandomWave& wave : waves_) sums[wave.mx] += wave.amplitude * phase_y_(wave.my, y);
    std::vector<double> row(phase_x_.cells);
    for (int x = 0; x < phase_x_.cells; ++x) {
      Complex rise{};
      for (std::size_t mx = 0; mx < sums.size(); ++mx) rise += sums[mx] * phase_x_(static_cast<int>(mx), x);
      row[x] = rise.real();
    }
    return row;
  }

  /// Kept from when it is first asked for: who only samples the start needs few rows.
  const std::vector<double>& rise_in_row(int y) const {
    Row& row = (*rows_)[y];
    std::call_once(row.is_made, [&] { row.rise = rise_along_row(y); });
    return row.rise;
  }

  void add_waves(Primitive& gas, int x, int y, int z) const {
    for (std::size_t i = 0; i < waves_.size(); ++i) {
      const RandomWave& wave = waves_[i];
      const VerticalMode& mode = modes_in_depth_[row_of_wave_[i]][z];
      const Complex pattern = wave.amplitude * (phase_x_(wave.mx, x) * phase_y_(wave.my, y));
      const double sideways =
          mode.horizontal * pattern.imag() / wave.total_wavenumber;  // of -grad Re(...) / k
      gas.density += mode.density * pattern.real();
      gas.velocity[0] += wave.wavenumber[0] * sideways;
      gas.velocity[1] += wave.wavenumber[1] * sideways;
      gas.velocity[2] += mode.w * pattern.real();
      gas.pressure += mode.pressure * pattern.real();
    }
  }

  std::array<std::int64_t, 2> modes_{4, 8};
  std::uint64_t seed_ = 1;
  std::vector<RandomWave> waves_;
  PhaseTable phase_x_, phase_y_;
  std::shared_ptr<std::vector<Row>> rows_;
  std::vector<std::vector<VerticalMode>> modes_in_depth_;  // [distinct wavenumber][z]
  std::vector<std::size_t> row_of_wave_;
};

}  // namespace

ProblemEntry rt_multi() {
  return {.name = "rt_multi",
          .summary = "multi-mode Rayleigh-Taylor: perturbed by random waves in a band of wavenumbers",
          .keys = [] { return std::make_unique<RtMulti>(); },
          .default_gravity = -1,
          .default_boundary = {Boundary::periodic, Boundary::periodic, Boundary::mirror}};
}

}  // namespace tayra::problems
