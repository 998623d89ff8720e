// Tests of integrals over the box and of the sizes of the mixing layer.
#include "io/diagnostics_log.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <vector>

#include "io/numbers_of_columns.hpp"

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
  const Numbers layer = numbers_of(planes, grid, layers);
  EXPECT_NEAR(layer.at("bubble_height"), 1.19 - 0.5, 1e-9);
  EXPECT_NEAR(layer.at("spike_height"), 0.5 - 0.21, 1e-9);
  EXPECT_NEAR(layer.at("mixing_width"), 1, 1e-5);
  EXPECT_NEAR(layer.at("theta"), 0.8, 1e-12);
}

TEST(MixingLayer, MeasuresTheSameWithHeavyBelow) {
  const Grid grid = box(3000);
  const auto planes = planes_of(
      grid, [](double z) { return 1 - ramp(z, 0.2, 1.2); }, 0.8);
  const Numbers layer = numbers_of(planes, grid, layers_with_heavy_below());
  EXPECT_NEAR(layer.at("bubble_height"), 0.5 - 0.21, 1e-9);
  EXPECT_NEAR(layer.at("spike_height"), 1.19 - 0.5, 1e-9);
  EXPECT_NEAR(layer.at("mixing_width"), 1, 1e-5);
}

/// Of which as much light fluid lies above z = 0.7 as heavy fluid below.
double lopsided(double z) { return z > 0.7 ? 1 - 0.2 * (1 - ramp(z, 0.7, 1.5)) : 0.8 * ramp(z, 0.5, 0.7); }

TEST(MixingLayer, HasAsIntegralHeightsThoseOfLinearProfilesFromWhereTheFluidsBalance) {
  const Grid grid = box(3000);
  const Numbers even = numbers_of(planes_of(
                                      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 0),
                                  grid, layers);
  EXPECT_NEAR(even.at("integral_bubble_height"), 0.5, 1e-5);
  EXPECT_NEAR(even.at("integral_spike_height"), 0.5, 1e-5);
  const Numbers above = numbers_of(planes_of(grid, lopsided, 0), grid, layers);
  EXPECT_NEAR(above.at("integral_bubble_height"), 0.8, 1e-5);
  EXPECT_NEAR(above.at("integral_spike_height"), 0.2, 1e-5);
  const Numbers below = numbers_of(planes_of(
                                       grid, [](double z) { return 1 - lopsided(z); }, 0),
                                   grid, layers_with_heavy_below());
  EXPECT_NEAR(below.at("integral_bubble_height"), 0.2, 1e-5);
  EXPECT_NEAR(below.at("integral_spike_height"), 0.8, 1e-5);
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
    const Numbers layer =
        numbers_of(planes_of(
                       grid, [&](double z) { return ramp_in_cells(z, half, grid.spacing(2)); }, 0),
                   grid, layers);
    integral.push_back(layer.at("integral_bubble_height"));
    reaching.push_back(layer.at("bubble_height"));
  }
  EXPECT_LT(stray_from_line(integral), 5e-4);
  EXPECT_GT(stray_from_line(reaching), 5e-3) << "the profile would show no steps";
}

TEST(MixingLayer, OfASharpInterfaceIsThinnerThanACell) {
  const Grid grid = box(30);
  const auto planes = planes_of(
      grid, [](double z) { return z > 0.5 ? 1. : 0.; }, 0);
  const Numbers layer = numbers_of(planes, grid, layers);
  EXPECT_LT(layer.at("bubble_height"), 0.5 * grid.spacing(2));
  EXPECT_LT(layer.at("spike_height"), 0.5 * grid.spacing(2));
  EXPECT_NEAR(layer.at("integral_bubble_height"), 0, 1e-12);
  EXPECT_NEAR(layer.at("integral_spike_height"), 0, 1e-12);
  EXPECT_EQ(layer.at("mixing_width"), 0);
  EXPECT_EQ(layer.at("theta"), 0);
}

TEST(MixingLayer, EndsAtTheWallsWhenAllIsMixed) {
  const Grid grid = box(30);
  const auto planes = planes_of(
      grid, [](double z) { return 0.5 + 0.01 * z; }, 1);
  const Numbers layer = numbers_of(planes, grid, layers);
  EXPECT_EQ(layer.at("bubble_height"), 1.5);
  EXPECT_EQ(layer.at("spike_height"), 1.5);
}

TEST(MixingLayer, KeepsItsSidesWhenTheFluidsHaveChangedPlaces) {
  Grid grid = box(30);
  grid.lower[2] = 0;  // the interface lies at a quarter: its walls are 0.5 and 1.5 away
  const auto overturned = planes_of(
      grid, [](double z) { return 1 - ramp(z, 0.2, 1.2); }, 1);
  const Numbers layer = numbers_of(overturned, grid, layers);
  EXPECT_EQ(layer.at("bubble_height"), 1.5);
  EXPECT_EQ(layer.at("spike_height"), 0.5);
  const auto back = planes_of(
      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 1);
  const Numbers from_below = numbers_of(back, grid, layers_with_heavy_below());
  EXPECT_EQ(from_below.at("bubble_height"), 0.5);
  EXPECT_EQ(from_below.at("spike_height"), 1.5);
}

TEST(MixingLayer, IgnoresFaintWavesFarFromTheInterface) {
  const Grid grid = box(3000);
  const auto profile = [](double z) { return z > 1.8 ? 0.9 : z < -0.8 ? 0.1 : ramp(z, 0.2, 1.2); };
  const Numbers layer = numbers_of(planes_of(grid, profile, 0), grid, layers);
  EXPECT_NEAR(layer.at("bubble_height"), 0.69, 1e-9);
  EXPECT_NEAR(layer.at("spike_height"), 0.29, 1e-9);
}

TEST(MixingLayer, HasNoBubbleWhereTheInterfaceLiesInHeavyFluid) {
  const Grid grid = box(30);  // an interface between two planes, both above the bubble's level
  const auto planes = planes_of(
      grid, [](double z) { return z > 0.6   ? 0.999
                                  : z > 0.5 ? 0.992
                                  : z > 0.4 ? 0.999
                                            : 0.3; }, 0);
  EXPECT_EQ(numbers_of(planes, grid, layers).at("bubble_height"), 0);
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
  const Numbers whole = numbers_of(planes, grid, std::nullopt, -2);
  EXPECT_NEAR(whole.at("mass"), 3, 1e-14);
  EXPECT_NEAR(whole.at("momentum_x"), 3, 1e-14);
  EXPECT_NEAR(whole.at("momentum_y"), 6, 1e-14);
  EXPECT_NEAR(whole.at("momentum_z"), -9, 1e-14);
  EXPECT_NEAR(whole.at("energy"), 7.5, 1e-14);
  EXPECT_NEAR(whole.at("potential_energy"), 3, 1e-14);  // 2 × ∫ z dz from -1 to 2
  EXPECT_NEAR(whole.at("kinetic_energy_x"), 1.5, 1e-14);
  EXPECT_NEAR(whole.at("kinetic_energy_y"), 6, 1e-14);
  EXPECT_NEAR(whole.at("kinetic_energy_z"), 13.5, 1e-14);
  EXPECT_NEAR(whole.at("enstrophy"), 9, 1e-13);
  EXPECT_NEAR(whole.at("baroclinic"), -12, 1e-13);
  EXPECT_EQ(whole.at("max_mach"), 0.5);
  EXPECT_EQ(whole.at("max_w"), 1);
  EXPECT_EQ(whole.at("min_density"), 1);
  EXPECT_EQ(whole.at("min_pressure"), 2);
  EXPECT_FALSE(whole.contains("theta"));
  EXPECT_EQ(whole.size(), 16u) << "with limited_faces; a column is not tested";
}

TEST(DiagnosticsLog, TellsGravityThatVariesAndThePotentialEnergyOfItsBooks) {
  EXPECT_THAT(diagnostics_header(false, true), testing::EndsWith(",gravity"));
  EXPECT_THAT(diagnostics_header(false), testing::Not(testing::HasSubstr("gravity")));
  const std::vector<PlaneSums> planes(4);
  const BoxState box{.grid = {.cells = {1, 1, 4}}, .gravity = -0.25, .planes = planes, .potential_energy = 7};
  const std::string row = diagnostics_row(3, 0.5, box);
  EXPECT_THAT(row, testing::EndsWith(",-0.25\n"));
  EXPECT_THAT(row, testing::StartsWith("3,0.5,0,0,0,0,0,7,"));
}

TEST(DiagnosticsLog, HasAsManyCellsAsColumnsWithAndWithoutLayers) {
  const Grid grid = box(30);
  const auto planes = planes_of(
      grid, [](double z) { return ramp(z, 0.2, 1.2); }, 0.5);
  for (const auto& chosen : {std::optional<Layers>(), std::optional<Layers>(layers)}) {
    const std::string header = diagnostics_header(chosen.has_value());
    const std::string row = diagnostics_row(3, 0.25, {grid, -1, chosen, planes, 17});
    EXPECT_EQ(std::count(header.begin(), header.end(), ','), chosen ? 23 : 17);
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), chosen ? 23 : 17);
    EXPECT_EQ(row.substr(0, 7), "3,0.25,");
    EXPECT_NE(row.find(",17" + std::string(chosen ? "," : "\n")), std::string::npos) << "faces are whole";
  }
}

TEST(DiagnosticsLog, HasEveryDigitOfATime) {
  const Grid grid = box(4);
  const auto planes = planes_of(
      grid, [](double) { return 0.5; }, 0);
  const std::string row = diagnostics_row(3, 1 / 3., {grid, -1, {}, planes});
  EXPECT_EQ(std::stod(row.substr(2)), 1 / 3.);
}

}  // namespace
}  // namespace tayra
