// Tests of integrals over the box and of the sizes of the mixing layer.
#include "io/diagnostics_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

constexpr Layers layers{
    .light_density = 1, .heavy_density = 3, .interface_height = 0.5, .interface_pressure = 1};

Layers layers_with_heavy_below() {
  Layers below = layers;
  below.heavy_above = false;
  return below;
}

Grid box(int planes) {
  return {.cells = {4, 5, planes}, .lower = {0, 0, -1}, .upper = {1, 1, 2}, .boundary = {}};
}

/// Planes whose mean heavy fraction is a function of height; `mixing` is <f(1-f)> as a share of <f><1-f>.
std::vector<PlaneSums> planes_of(const Grid& grid, const std::function<double(double)>& heavy,
                                 double mixing) {
  std::vector<PlaneSums> planes(grid.cells[2]);
  const double cells = grid.cells[0] * grid.cells[1];
  for (int z = 0; z < grid.cells[2]; ++z) {
    const double f = heavy(grid.centre(2, z));
    planes[z].density = cells * (1 + 2 * f);
    planes[z].heavy_fraction = cells * f;
    planes[z].mixed_fraction = cells * mixing * f * (1 - f);
  }
  return planes;
}

double ramp(double height, double lower, double upper) {
  return std::clamp((height - lower) / (upper - lower), 0., 1.);
}

TEST(MixingLayer, MeasuresALinearProfileWithHeavyAbove) {
  const Grid grid = box(3000);
  const auto planes = planes_of(
      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 0.8);
  const MixingLayer layer = measure_layer(planes, grid, layers);
  EXPECT_NEAR(layer.bubble_height, 1.19 - 0.5, 1e-9);
  EXPECT_NEAR(layer.spike_height, 0.5 - 0.21, 1e-9);
  EXPECT_NEAR(layer.mixing_width, 1, 1e-5);
  EXPECT_NEAR(layer.theta, 0.8, 1e-12);
}

TEST(MixingLayer, MeasuresTheSameWithHeavyBelow) {
  const Grid grid = box(3000);
  const auto planes = planes_of(
      grid, [](double z) { return 1 - ramp(z, 0.2, 1.2); }, 0.8);
  const MixingLayer layer = measure_layer(planes, grid, layers_with_heavy_below());
  EXPECT_NEAR(layer.bubble_height, 0.5 - 0.21, 1e-9);
  EXPECT_NEAR(layer.spike_height, 1.19 - 0.5, 1e-9);
  EXPECT_NEAR(layer.mixing_width, 1, 1e-5);
}

/// Of which as much light fluid lies above z = 0.7 as heavy fluid below.
double lopsided(double z) { return z > 0.7 ? 1 - 0.2 * (1 - ramp(z, 0.7, 1.5)) : 0.8 * ramp(z, 0.5, 0.7); }

TEST(MixingLayer, HasAsIntegralHeightsThoseOfLinearProfilesFromWhereTheFluidsBalance) {
  const Grid grid = box(3000);
  const MixingLayer even = measure_layer(planes_of(
                                             grid, [](double z) { return ramp(z, 0.2, 1.2); }, 0),
                                         grid, layers);
  EXPECT_NEAR(even.integral_bubble_height, 0.5, 1e-5);
  EXPECT_NEAR(even.integral_spike_height, 0.5, 1e-5);
  const MixingLayer above = measure_layer(planes_of(grid, lopsided, 0), grid, layers);
  EXPECT_NEAR(above.integral_bubble_height, 0.8, 1e-5);
  EXPECT_NEAR(above.integral_spike_height, 0.2, 1e-5);
  const MixingLayer below = measure_layer(planes_of(
                                              grid, [](double z) { return 1 - lopsided(z); }, 0),
                                          grid, layers_with_heavy_below());
  EXPECT_NEAR(below.integral_bubble_height, 0.2, 1e-5);
  EXPECT_NEAR(below.integral_spike_height, 0.8, 1e-5);
}

/// How far numbers in steps of equal length stray from a line, as a share of the last.
double stray_from_line(const std::vector<double>& numbers) {
  double most = 0;
  for (std::size_t i = 1; i + 1 < numbers.size(); ++i)
    most = std::max(most, std::abs(numbers[i - 1] - 2 * numbers[i] + numbers[i + 1]) / 2);
  return most / numbers.back();
}

/// The mean over a plane of a ramp, as cells of finite height hold it.
double ramp_in_cells(double z, double half, double spacing) {
  constexpr int parts = 200;
  double sum = 0;
  for (int i = 0; i < parts; ++i)
    sum += ramp(z + ((i + 0.5) / parts - 0.5) * spacing, 0.53 - half, 0.53 + half);
  return sum / parts;
}

TEST(MixingLayer, HasIntegralHeightsWithoutStepsOfAPlane) {
  const Grid grid = box(30);
  std::vector<double> integral, reaching;
  for (int i = 0; i < 40; ++i) {  // grows by a twentieth of a plane, from four planes to six
    const double half = 0.4 + 0.005 * i;
    const MixingLayer layer =
        measure_layer(planes_of(
                          grid, [&](double z) { return ramp_in_cells(z, half, grid.spacing(2)); }, 0),
                      grid, layers);
    integral.push_back(layer.integral_bubble_height);
    reaching.push_back(layer.bubble_height);
  }
  EXPECT_LT(stray_from_line(integral), 5e-4);
  EXPECT_GT(stray_from_line(reaching), 5e-3) << "the profile would show no steps";
}

TEST(MixingLayer, OfASharpInterfaceIsThinnerThanACell) {
  const Grid grid = box(30);
  const auto planes = planes_of(
      grid, [](double z) { return z > 0.5 ? 1. : 0.; }, 0);
  const MixingLayer layer = measure_layer(planes, grid, layers);
  EXPECT_LT(layer.bubble_height, 0.5 * grid.spacing(2));
  EXPECT_LT(layer.spike_height, 0.5 * grid.spacing(2));
  EXPECT_NEAR(layer.integral_bubble_height, 0, 1e-12);
  EXPECT_NEAR(layer.integral_spike_height, 0, 1e-12);
  EXPECT_EQ(layer.mixing_width, 0);
  EXPECT_EQ(layer.theta, 0);
}

TEST(MixingLayer, EndsAtTheWallsWhenAllIsMixed) {
  const Grid grid = box(30);
  const auto planes = planes_of(
      grid, [](double z) { return 0.5 + 0.01 * z; }, 1);
  const MixingLayer layer = measure_layer(planes, grid, layers);
  EXPECT_EQ(layer.bubble_height, 1.5);
  EXPECT_EQ(layer.spike_height, 1.5);
}

TEST(MixingLayer, KeepsItsSidesWhenTheFluidsHaveChangedPlaces) {
  Grid grid = box(30);
  grid.lower[2] = 0;  // the interface lies at a quarter: its walls are 0.5 and 1.5 away
  const auto overturned = planes_of(
      grid, [](double z) { return 1 - ramp(z, 0.2, 1.2); }, 1);
  const MixingLayer layer = measure_layer(overturned, grid, layers);
  EXPECT_EQ(layer.bubble_height, 1.5);
  EXPECT_EQ(layer.spike_height, 0.5);
  const auto back = planes_of(
      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 1);
  const MixingLayer from_below = measure_layer(back, grid, layers_with_heavy_below());
  EXPECT_EQ(from_below.bubble_height, 0.5);
  EXPECT_EQ(from_below.spike_height, 1.5);
}

TEST(MixingLayer, IgnoresFaintWavesFarFromTheInterface) {
  const Grid grid = box(3000);
  const auto profile = [](double z) { return z > 1.8 ? 0.9 : z < -0.8 ? 0.1 : ramp(z, 0.2, 1.2); };
  const MixingLayer layer = measure_layer(planes_of(grid, profile, 0), grid, layers);
  EXPECT_NEAR(layer.bubble_height, 0.69, 1e-9);
  EXPECT_NEAR(layer.spike_height, 0.29, 1e-9);
}

TEST(MixingLayer, HasNoBubbleWhereTheInterfaceLiesInHeavyFluid) {
  const Grid grid = box(30);  // an interface between two planes, both above the bubble's level
  const auto planes = planes_of(
      grid, [](double z) { return z > 0.6   ? 0.999
                                  : z > 0.5 ? 0.992
                                  : z > 0.4 ? 0.999
                                            : 0.3; }, 0);
  EXPECT_EQ(measure_layer(planes, grid, layers).bubble_height, 0);
}

TEST(Diagnostics, IntegrateOverTheBox) {
  const Grid grid = box(6);
  std::vector<PlaneSums> planes(6);
  for (int z = 0; z < 6; ++z)
    planes[z] = {.density = 20.,
                 .momentum = {{20., 40., -60.}},
                 .energy = 50.,
                 .kinetic_energy = {{10., 40., 90.}},
                 .enstrophy = 60.,
                 .baroclinic = -80.,
                 .max_mach = 0.1 * z,
                 .max_speed_w = 0.2 * z,
                 .min_density = 1. + z,
                 .min_pressure = 7. - z};
  const Diagnostics whole = diagnose(planes, grid, -2, std::nullopt);
  EXPECT_NEAR(whole.mass, 3, 1e-14);
  EXPECT_NEAR(whole.momentum[0], 3, 1e-14);
  EXPECT_NEAR(whole.momentum[1], 6, 1e-14);
  EXPECT_NEAR(whole.momentum[2], -9, 1e-14);
  EXPECT_NEAR(whole.energy, 7.5, 1e-14);
  EXPECT_NEAR(whole.potential_energy, 3, 1e-14);  // 2 × ∫ z dz from -1 to 2
  EXPECT_NEAR(whole.kinetic_energy[0], 1.5, 1e-14);
  EXPECT_NEAR(whole.kinetic_energy[1], 6, 1e-14);
  EXPECT_NEAR(whole.kinetic_energy[2], 13.5, 1e-14);
  EXPECT_NEAR(whole.enstrophy, 9, 1e-13);
  EXPECT_NEAR(whole.baroclinic, -12, 1e-13);
  EXPECT_EQ(whole.max_mach, 0.5);
  EXPECT_EQ(whole.max_w, 1);
  EXPECT_EQ(whole.min_density, 1);
  EXPECT_EQ(whole.min_pressure, 2);
  EXPECT_FALSE(whole.layer.has_value());
}

TEST(DiagnosticsLog, HasAsManyCellsAsColumnsWithAndWithoutLayers) {
  const TemporaryDirectory directory;
  const Grid grid = box(30);
  const auto planes = planes_of(
      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 0.5);
  for (const auto& chosen : {std::optional<Layers>(), std::optional<Layers>(layers)}) {
    DiagnosticsLog log(directory.path("diagnostics.csv"), grid, -1, chosen);
    log.append(3, 0.25, planes, 17);
    std::istringstream text(text_of(directory.path("diagnostics.csv")));
    std::string header, row;
    std::getline(text, header);
    std::getline(text, row);
    EXPECT_EQ(std::count(header.begin(), header.end(), ','), chosen ? 23 : 17);
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), chosen ? 23 : 17);
    EXPECT_EQ(row.substr(0, 7), "3,0.25,");
  }
}

TEST(DiagnosticsLog, HasEveryDigitOfATime) {
  const TemporaryDirectory directory;
  const Grid grid = box(4);
  DiagnosticsLog(directory.path("diagnostics.csv"), grid, -1, {})
      .append(3, 1 / 3.,
              planes_of(
                  grid, [](double) { return 0.5; }, 0),
              0);
  const std::string text = text_of(directory.path("diagnostics.csv"));
  EXPECT_EQ(std::stod(text.substr(text.find("\n3,") + 3)), 1 / 3.);
}

/// A log of one row.
std::map<std::string, double> numbers_by_name(const std::string& log) {
  std::istringstream lines(log);
  std::string header, row, name, number;
  std::getline(lines, header);
  std::getline(lines, row);
  std::istringstream names(header), values(row);
  std::map<std::string, double> numbers;
  while (std::getline(names, name, ',') && std::getline(values, number, ','))
    numbers[name] = std::stod(number);
  return numbers;
}

TEST(DiagnosticsLog, HasEveryNumberUnderItsName) {
  const TemporaryDirectory directory;
  const Grid grid = box(30);
  auto planes = planes_of(
      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 0.5);
  planes[0].momentum = {{30, 40, 50}};
  planes[0].energy = 60;
  planes[0].kinetic_energy = {{70, 80, 90}};
  planes[0].enstrophy = 100;
  planes[0].baroclinic = 110;
  planes[0].max_mach = 0.7;
  planes[0].max_speed_w = 0.8;
  planes[0].min_density = -9;
  planes[0].min_pressure = -10;
  DiagnosticsLog log(directory.path("diagnostics.csv"), grid, -1, layers);
  const Diagnostics whole = log.append(3, 0.25, planes, 17);
  const auto numbers = numbers_by_name(text_of(directory.path("diagnostics.csv")));
  const std::map<std::string, double> expected{
      {"step", 3},
      {"time", 0.25},
      {"mass", whole.mass},
      {"momentum_x", whole.momentum[0]},
      {"momentum_y", whole.momentum[1]},
      {"momentum_z", whole.momentum[2]},
      {"energy", whole.energy},
      {"potential_energy", whole.potential_energy},
      {"kinetic_energy_x", whole.kinetic_energy[0]},
      {"kinetic_energy_y", whole.kinetic_energy[1]},
      {"kinetic_energy_z", whole.kinetic_energy[2]},
      {"max_mach", 0.7},
      {"max_w", 0.8},
      {"min_density", -9},
      {"min_pressure", -10},
      {"enstrophy", whole.enstrophy},
      {"baroclinic", whole.baroclinic},
      {"limited_faces", 17},
      {"bubble_height", whole.layer->bubble_height},
      {"spike_height", whole.layer->spike_height},
      {"integral_bubble_height", whole.layer->integral_bubble_height},
      {"integral_spike_height", whole.layer->integral_spike_height},
      {"mixing_width", whole.layer->mixing_width},
      {"theta", whole.layer->theta}};
  for (const auto& [name, value] : expected) EXPECT_NEAR(numbers.at(name), value, 1e-9) << name;
  EXPECT_EQ(numbers.size(), expected.size()) << "a column is not tested";
}

}  // namespace
}  // namespace tayra
