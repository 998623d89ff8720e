// rt_multi: random waves of a band of wavenumbers on the interface of a heavy fluid above a light one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>

#include "core/error.hpp"
#include "solver/problems/layered.hpp"
#include "solver/problems/wave_surface.hpp"

namespace tayra::problems {
namespace {

// Every wave is solved for and summed in every cell, unless only the interface is perturbed.
constexpr std::size_t most_waves_in_depth = 2000;

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
    require_room_for_waves("name", setting.grid);
    made->surface_ = std::make_shared<WaveSurface>("modes", Band{modes_[0], modes_[1]}, seed_,
                                                   made->amplitude(), setting.grid);
    if (perturb_ != Perturb::interface) {
      made->require_feasible_in_depth();
      made->tabulate_heights();
    }
    made->require_possible_rise(made->surface_->highest());
    return made;
  }

  Primitive initial(const Point& point) const override {
    const Grid& grid = setting_.grid;
    const int x = cell_index(grid, 0, point.offset[0]), y = cell_index(grid, 1, point.offset[1]);
    const double z = point.position[2];
    if (perturb_ == Perturb::interface) return at_rest(z, surface_->at(x, y));
    Primitive gas = at_rest(z, 0);
    const double rise = add_waves(gas, x, y, cell_index(grid, 2, point.offset[2]));
    set_fraction(gas, z, rise);
    return gas;
  }

 private:
  double wavelength(const Grid& grid) const override {
    return std::max(grid.length(0), grid.length(1)) / static_cast<double>(modes_[0]);
  }
  double least_wavenumber() const override {
    double least = std::numeric_limits<double>::infinity();
    for (const RandomWave& wave : surface_->waves()) least = std::min(least, wave.total_wavenumber);
    return least;
  }

  void require_feasible_in_depth() const {
    const auto& boundary = setting_.grid.boundary;
    require(boundary[0] == Boundary::periodic && boundary[1] == Boundary::periodic, ExitCode::bad_input,
            "perturb: random velocities don't vanish at walls: set grid.boundary.x and y to periodic, or "
            "perturb: "
            "interface");
    const std::size_t waves = surface_->waves().size();
    require(waves <= most_waves_in_depth, ExitCode::bad_input,
            fmt::format(
                "modes: hold {} waves, but velocity and eigenmode allow at most {}: narrow the band, or set "
                "perturb: interface",
                waves, most_waves_in_depth));
  }

  /// One row of heights for every distinct wavenumber.
  void tabulate_heights() {
    const Grid& grid = setting_.grid;
    std::map<double, std::size_t> rows;
    for (const RandomWave& wave : surface_->waves()) {
      const auto [row, is_new] = rows.try_emplace(wave.total_wavenumber, modes_in_depth_.size());
      row_of_wave_.push_back(row->second);
      if (!is_new) continue;
      const auto mode = vertical_mode(wave.total_wavenumber);
      std::vector<VerticalMode>& heights = modes_in_depth_.emplace_back();
      for (int z = 0; z < grid.cells[2]; ++z) heights.push_back(mode(grid.centre(2, z)));
    }
  }

  /// Returns how far all of them have raised the gas.
  double add_waves(Primitive& gas, int x, int y, int z) const {
    double rise = 0;
    for (std::size_t i = 0; i < surface_->waves().size(); ++i) {
      const RandomWave& wave = surface_->waves()[i];
      const VerticalMode& mode = modes_in_depth_[row_of_wave_[i]][z];
      const std::complex<double> pattern = surface_->pattern(wave, x, y);
      const double sideways =
          mode.horizontal * pattern.imag() / wave.total_wavenumber;  // of -grad Re(...) / k
      gas.density += mode.density * pattern.real();
      gas.velocity[0] += wave.wavenumber[0] * sideways;
      gas.velocity[1] += wave.wavenumber[1] * sideways;
      gas.velocity[2] += mode.w * pattern.real();
      gas.pressure += mode.pressure * pattern.real();
      rise += mode.rise * pattern.real();
    }
    return rise;
  }

  std::array<std::int64_t, 2> modes_{4, 8};
  std::uint64_t seed_ = 1;
  std::shared_ptr<const WaveSurface> surface_;
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
