// Tests of profiles: means over planes, of cells and of those beside them.
#include "solver/profiles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "solver/problem_maker.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

constexpr Layers two_fluids{
    .light_density = 0.7, .heavy_density = 2.4, .interface_height = 0, .interface_pressure = 1};

/// Waves of two fluids.
class MixedWaves final : public Problem {
 public:
  explicit MixedWaves(bool background) : waves_(Tumult::smooth, background) {}
  Primitive initial(const Point& point) const override { return waves_.initial(point); }
  Background background(double z) const override { return waves_.background(z); }
  std::optional<Layers> layers() const override { return two_fluids; }

 private:
  Waves3d waves_;
};

/// Wider than a tile of the sums, and no multiple of it.
SolverSettings settings_with(const std::array<Boundary, 3>& boundary, int slabs = 1,
                             DeviceKind device = DeviceKind::cpu, Precision precision = Precision::double_) {
  SolverSettings settings = trial_settings({"muscl", precision}, {135, 37, 11}, boundary);
  settings.slabs = slabs;
  settings.device = device;
  return settings;
}

std::vector<double> profiles_after(const SolverSettings& settings, int steps) {
  const auto simulation = make_simulation(settings, MixedWaves(settings.gravity != 0));
  simulation->advance(steps, 1e300);
  simulation->finish();
  return simulation->profiles();
}

/// Of the start, word by word from the problem, with the cell that is read instead beyond the box.
class Start {
 public:
  explicit Start(const SolverSettings& settings) : settings_(settings), problem_(settings.gravity != 0) {}

  struct Gas {
    double density, velocity[3], pressure, fraction;
  };
  Gas at(std::array<int, 3> cell) const {
    const Grid& grid = settings_.grid;
    std::array<double, 3> sign{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      const Source source = ghost_source(cell[axis], grid.cells[axis], grid.boundary[axis]);
      cell[axis] = source.index;
      if (source.flipped) sign[axis] = -1;
    }
    const Primitive gas = problem_.initial(grid.point(cell[0], cell[1], cell[2]));
    return {gas.density,
            {sign[0] * gas.velocity[0], sign[1] * gas.velocity[1], sign[2] * gas.velocity[2]},
            gas.pressure,
            heavy_fraction(gas.density, gas.pressure, settings_.gamma, two_fluids)};
  }

  std::map<std::string, double> values(int x, int y, int z) const {
    const Gas gas = at({x, y, z});
    double slope[3][3], fraction[3];  // [component][along]
    for (int along = 0; along < 3; ++along) {
      std::array<int, 3> lower{x, y, z}, upper{x, y, z};
      --lower[along];
      ++upper[along];
      const Gas before = at(lower), after = at(upper);
      const double apart = 2 * settings_.grid.spacing(along);
      for (int i = 0; i < 3; ++i) slope[i][along] = (after.velocity[i] - before.velocity[i]) / apart;
      fraction[along] = (after.fraction - before.fraction) / apart;
    }
    const auto& [u, v, w] = gas.velocity;
    const double f = gas.fraction, rho = gas.density;
    const double mass = 2.4 * f / (2.4 * f + 0.7 * (1 - f)), spread = slope[0][0] + slope[1][1] + slope[2][2];
    const double curl[]{slope[2][1] - slope[1][2], slope[0][2] - slope[2][0], slope[1][0] - slope[0][1]};
    return {{"density", rho},
            {"density_squared", rho * rho},
            {"specific_volume", 1 / rho},
            {"pressure", gas.pressure},
            {"velocity_x", u},
            {"velocity_y", v},
            {"velocity_z", w},
            {"mass_flux_x", rho * u},
            {"mass_flux_y", rho * v},
            {"mass_flux_z", rho * w},
            {"momentum_flux_xx", rho * u * u},
            {"momentum_flux_yy", rho * v * v},
            {"momentum_flux_zz", rho * w * w},
            {"momentum_flux_xy", rho * u * v},
            {"momentum_flux_xz", rho * u * w},
            {"momentum_flux_yz", rho * v * w},
            {"enstrophy", 0.5 * (curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2])},
            {"dilatation", spread},
            {"pressure_dilatation", gas.pressure * spread},
            {"heavy_fraction", f},
            {"mixed_fraction", f * (1 - f)},
            {"lesser_fraction", std::min(f, 1 - f)},
            {"mass_fraction", mass},
            {"mixed_mass", rho * mass * (1 - mass)},
            {"scalar_dissipation",
             fraction[0] * fraction[0] + fraction[1] * fraction[1] + fraction[2] * fraction[2]}};
  }

 private:
  SolverSettings settings_;
  MixedWaves problem_;
};

void expect_means_of_cells(DeviceKind device, Precision precision) {
  const double rounding = precision == Precision::single ? 1e-5 : 1e-12;
  for (const auto& boundary : all_boundaries()) {
    const SolverSettings settings = settings_with(boundary, 2, device, precision);
    const auto profiles = profiles_after(settings, 0);
    const auto [nx, ny, nz] = settings.grid.cells;
    ASSERT_EQ(profiles.size(), std::size_t(profile_count * nz));
    const Start start(settings);
    for (int z = 0; z < nz; ++z) {
      std::map<std::string, double> sums, sizes;
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          for (const auto& [name, value] : start.values(x, y, z)) {
            sums[name] += value;
            sizes[name] += std::abs(value);
          }
      for (int number = 0; number < profile_count; ++number) {
        const std::string name = profile_facts()[number].name;
        ASSERT_GT(sizes[name], 0) << name << ": nothing would be measured";
        EXPECT_NEAR(profiles[z * profile_count + number], sums[name] / (nx * ny),
                    rounding * (1 + sizes[name] / (nx * ny)))
            << name << ", plane " << z << ", " << description(settings);
      }
    }
  }
}

TEST(Profiles, AreMeansOfTheirCells) {
  for (const Precision precision : {Precision::double_, Precision::single})
    expect_means_of_cells(DeviceKind::cpu, precision);
}
TEST(GpuProfiles, AreMeansOfTheirCells) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  for (const Precision precision : {Precision::double_, Precision::single})
    expect_means_of_cells(DeviceKind::cuda, precision);
}

void expect_same_for_any_number_of_slabs(DeviceKind device) {
  for (const auto& boundary : all_boundaries()) {
    const auto alone = profiles_after(settings_with(boundary, 1, device), 3);
    for (const int slabs : {2, 3, 5})
      EXPECT_EQ(profiles_after(settings_with(boundary, slabs, device), 3), alone) << slabs << " slabs";
  }
}

TEST(Profiles, AreTheSameToTheLastBitForAnyNumberOfSlabs) {
  expect_same_for_any_number_of_slabs(DeviceKind::cpu);
}
TEST(GpuProfiles, AreTheSameToTheLastBitForAnyNumberOfSlabs) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_same_for_any_number_of_slabs(DeviceKind::cuda);
}

/// Of four rows of tiles and some rows that make none.
void expect_same_however_planes_are_cut(DeviceKind device) {
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const auto& boundary : all_boundaries()) {
      SolverSettings settings = settings_with(boundary, 1, device, precision);
      settings.grid.cells = {135, 133, 6};
      settings.rows_apart = profile_rows;
      const auto alone = profiles_after(settings, 3);
      for (const auto& [slabs, side_by_side] : {std::pair(2, 2), {6, 3}, {4, 4}}) {
        settings.slabs = slabs;
        settings.cut_y = side_by_side;
        EXPECT_EQ(profiles_after(settings, 3), alone)
            << slabs << " slabs, " << side_by_side << " side by side, " << description(settings);
      }
    }
}

TEST(Profiles, AreTheSameToTheLastBitHoweverManySlabsLieSideBySide) {
  expect_same_however_planes_are_cut(DeviceKind::cpu);
}
TEST(GpuProfiles, AreTheSameToTheLastBitHoweverManySlabsLieSideBySide) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_same_however_planes_are_cut(DeviceKind::cuda);
}

// Their sums are taken in the same order; only its power may be another in its last place, which decides f.
TEST(GpuProfiles, AreThoseOfTheCpuUpToTheRoundingOfPowers) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  const auto boundary = all_boundaries().front();
  const auto cpu = profiles_after(settings_with(boundary), 3),
             gpu = profiles_after(settings_with(boundary, 1, DeviceKind::cuda), 3);
  ASSERT_EQ(cpu.size(), gpu.size());
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    const ProfileFacts& facts = profile_facts()[i % profile_count];
    const double rounding = facts.is_of_layers ? 1e-12 * (1 + std::abs(cpu[i])) : 0;
    EXPECT_NEAR(gpu[i], cpu[i], rounding) << facts.name;
  }
}

TEST(Profiles, OfOneFluidHaveNoFractions) {
  SolverSettings settings = settings_with(all_boundaries().front());
  const auto profiles = make_simulation(settings, Waves3d(Tumult::smooth, false))->profiles();
  for (std::size_t i = 0; i < profiles.size(); ++i)
    EXPECT_TRUE(!profile_facts()[i % profile_count].is_of_layers || profiles[i] == 0);
}

}  // namespace
}  // namespace tayra::testing
