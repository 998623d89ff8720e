// Tests of spectra and histograms of planes: against sums over all cells, and to the bit for any slabs.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "solver/plane_counts.hpp"
#include "solver/plane_waves.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

constexpr std::array periodic{Boundary::periodic, Boundary::periodic, Boundary::mirror};

SolverSettings settings_of(std::array<int, 3> cells, int slabs = 1, DeviceKind device = DeviceKind::cpu,
                           Precision precision = Precision::double_) {
  SolverSettings settings = trial_settings({"muscl", precision}, cells, periodic);
  settings.gravity = 0;
  settings.grid.upper = {settings.grid.lower[0] + 1, settings.grid.lower[1] + 1.25, settings.grid.upper[2]};
  settings.slabs = slabs;
  settings.device = device;
  return settings;
}

std::vector<int> planes_of(const SolverSettings& settings) {
  std::vector<int> planes(settings.grid.cells[2]);
  std::iota(planes.begin(), planes.end(), 0);
  return planes;
}

const std::vector<std::string> names{"density", "velocity_z", "mach"};
std::vector<PlaneField> fields() {
  std::vector<PlaneField> all;
  for (const std::string& name : names) all.push_back(plane_field_named(name, {}).field);
  return all;
}

/// Of the start, in a cell.
double value(const std::string& name, const SolverSettings& settings, int x, int y, int z) {
  const Primitive gas = Waves3d(Tumult::smooth, false).initial(settings.grid.point(x, y, z));
  const auto& [u, v, w] = gas.velocity;
  if (name == "density") return gas.density;
  return name == "velocity_z"
             ? w
             : std::sqrt((u * u + v * v + w * w) * gas.density / (settings.gamma * gas.pressure));
}

/// The variance of all waves of a plane, by shells, word by word from the definition.
std::vector<double> spectrum(const std::string& name, const SolverSettings& settings, int z, int shells) {
  const auto [nx, ny, nz] = settings.grid.cells;
  const double length[]{nx > 1 ? 1. : 0., ny > 1 ? 1.25 : 0.}, longest = std::max(length[0], length[1]);
  std::vector<double> variance(shells);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      if (i == 0 && j == 0) continue;
      std::complex<double> sum;
      for (int x = 0; x < nx; ++x)
        for (int y = 0; y < ny; ++y)
          sum += value(name, settings, x, y, z) *
                 std::polar(1., -2 * std::numbers::pi * (double(i) * x / nx + double(j) * y / ny));
      const double k = i > 0 ? std::min(i, nx - i) / length[0] : 0,
                   l = j > 0 ? std::min(j, ny - j) / length[1] : 0;
      variance[static_cast<int>(std::floor(longest * std::hypot(k, l) + 0.5)) - 1] +=
          std::norm(sum) / (double(nx * ny) * nx * ny);
    }
  return variance;
}

double variance_of_plane(const std::string& name, const SolverSettings& settings, int z) {
  const auto [nx, ny, nz] = settings.grid.cells;
  double mean = 0, variance = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int x = 0; x < nx; ++x)
      for (int y = 0; y < ny; ++y) {
        const double here = value(name, settings, x, y, z);
        pass == 0 ? mean += here / (nx * ny) : variance += (here - mean) * (here - mean) / (nx * ny);
      }
  return variance;
}

void expect_spectra_of_the_start(DeviceKind device) {
  for (const std::array<int, 3> cells :
       {std::array{12, 10, 4}, std::array{7, 16, 4}, std::array{32, 1, 4}, std::array{22, 15, 4}}) {
    const SolverSettings settings = settings_of(cells, 2, device);
    const WavePlan plan(settings.grid);
    const auto spectra = make_simulation(settings, Waves3d(Tumult::smooth, false))
                             ->plane_spectra(plan, fields(), planes_of(settings));
    ASSERT_EQ(spectra.size(), cells[2] * names.size() * plan.shells);
    auto at = spectra.begin();
    for (int z = 0; z < cells[2]; ++z)
      for (const std::string& name : names) {
        const double variance = variance_of_plane(name, settings, z);
        ASSERT_GT(variance, 1e-4);
        double sum = 0;
        for (const double expected : spectrum(name, settings, z, plan.shells)) {
          EXPECT_NEAR(*at, expected, 1e-13 * variance) << name << ", " << cells[0] << " x " << cells[1];
          sum += *at++;
        }
        EXPECT_NEAR(sum, variance, 1e-12 * variance) << "Parseval";
      }
  }
}

TEST(PlaneSpectra, AreThoseOfTheDefinitionAndSumUpToTheVariance) {
  expect_spectra_of_the_start(DeviceKind::cpu);
}
TEST(GpuPlaneSpectra, AreThoseOfTheDefinitionAndSumUpToTheVariance) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_spectra_of_the_start(DeviceKind::cuda);
}

constexpr int bins = 12;
/// Spectra and counts of a few planes after some steps.
std::pair<std::vector<double>, std::vector<std::int64_t>> measured(const SolverSettings& settings) {
  const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, false));
  simulation->advance(3, 1e300);
  simulation->finish();
  const std::vector<int> planes{1, 2, 5, 9, 10};
  return {simulation->plane_spectra(WavePlan(settings.grid), fields(), planes),
          simulation->plane_counts({fields()[0], {0.95, 1.1, bins}}, planes)};
}

void expect_same_for_any_number_of_slabs(DeviceKind device) {
  for (const Precision precision : {Precision::double_, Precision::single}) {
    const auto alone = measured(settings_of({20, 14, 11}, 1, device, precision));
    for (const int slabs : {2, 3, 5})
      EXPECT_EQ(measured(settings_of({20, 14, 11}, slabs, device, precision)), alone) << slabs << " slabs";
    for (const int side_by_side : {2, 3}) {
      SolverSettings settings = settings_of({20, 14, 11}, 6, device, precision);
      settings.cut_y = side_by_side;
      EXPECT_EQ(measured(settings), alone) << "of 6 slabs " << side_by_side << " side by side";
    }
  }
}

TEST(PlaneStatistics, AreTheSameToTheLastBitForAnyNumberOfSlabs) {
  expect_same_for_any_number_of_slabs(DeviceKind::cpu);
}
TEST(GpuPlaneStatistics, AreTheSameToTheLastBitForAnyNumberOfSlabsAndAsOnACpu) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_same_for_any_number_of_slabs(DeviceKind::cuda);
  EXPECT_EQ(measured(settings_of({20, 14, 11}, 1, DeviceKind::cuda)), measured(settings_of({20, 14, 11})));
}

void expect_counts_of_the_start(DeviceKind device) {
  const SolverSettings settings = settings_of({135, 37, 4}, 2, device);
  const Bins range{0.95, 1.1, bins};
  std::vector<std::int64_t> expected(bins);
  for (const int z : {1, 3})
    for (int y = 0; y < 37; ++y)
      for (int x = 0; x < 135; ++x)
        if (const int bin = range.of(value("density", settings, x, y, z)); bin >= 0) ++expected[bin];
  EXPECT_EQ(
      make_simulation(settings, Waves3d(Tumult::smooth, false))->plane_counts({fields()[0], range}, {1, 3}),
      expected);
  EXPECT_GT(expected.front(), 0);
}

TEST(PlaneCounts, AreOfCells) { expect_counts_of_the_start(DeviceKind::cpu); }
TEST(GpuPlaneCounts, AreOfCells) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_counts_of_the_start(DeviceKind::cuda);
}

TEST(PlaneCounts, HaveBothEndsOfTheirRangeAndNothingBeyond) {
  const Bins range{-1, 1, 4};
  EXPECT_EQ(range.of(-1), 0);
  EXPECT_EQ(range.of(0), 2);
  EXPECT_EQ(range.of(1), 3);
  EXPECT_EQ(range.of(1.001), -1);
  EXPECT_EQ(range.of(-1.001), -1);
  EXPECT_EQ(range.of(NAN), -1);
}

}  // namespace
}  // namespace tayra::testing
