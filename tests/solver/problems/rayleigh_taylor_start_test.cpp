// The starts of rt_single, rt_multi and hydrostatic: balance, symmetry, meaning of the keys, and what is
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <tuple>

#include "solver/problem_maker.hpp"
#include "solver/problems/random_waves.hpp"
#include "solver/problems/two_layers.hpp"

namespace tayra::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(TwoLayers, WeighWhatTheirDensitySays) {
  for (const double thickness : {0., 0.003, 0.1})
    for (const double gravity : {-1., 2.5})
      for (const double stratification : {0., 0.6, 1.}) {
        const TwoLayers layers{.density_below = 0.2,
                               .density_above = 1.3,
                               .interface_height = 0.4,
                               .thickness = thickness,
                               .cell_height = 1e-6,
                               .interface_pressure = 7,
                               .gravity = gravity,
                               .stratification = stratification};
        const double h = thickness > 0 ? 1e-3 * thickness : 1e-3;
        const auto slope_of = [&](double z, auto value) {
          const auto at = [&](int i) { return value(z + i * h); };
          return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
        };
        for (double z = -0.995; z < 2; z += 0.0171) {
          if (thickness == 0 && std::abs(z - 0.4) < 3 * h) continue;
          EXPECT_NEAR(slope_of(z, [&](double at) { return layers.pressure(at); }),
                      gravity * layers.density(z), thickness == 0.003 ? 1e-8 : 1e-9)
              << thickness << " " << z;
          if (thickness == 0) continue;
          EXPECT_NEAR(slope_of(z, [&](double at) { return layers.density(at); }), layers.density_slope(z),
                      1e-9 / thickness)
              << thickness << " " << z;
        }
      }
}

// Apart from the interface, where both fluids are mixed.
TEST(TwoLayers, KeepTheirDensityTheirTemperatureOrTheirEntropy) {
  for (const auto& [stratification, exponent] : {std::pair{0., 0.}, {1., 1.}, {0.6, 0.6}}) {
    const TwoLayers layers{.density_below = 0.5,
                           .density_above = 1.5,
                           .thickness = 0.02,
                           .cell_height = 0,
                           .interface_pressure = 4,
                           .gravity = -1,
                           .stratification = stratification};
    for (const double z : {-1., -0.5, 0.5, 1.}) {
      const double at_interface = z < 0 ? 0.5 : 1.5;
      EXPECT_NEAR(layers.density(z) / std::pow(layers.pressure(z) / 4, exponent), at_interface, 1e-12);
    }
  }
}

// Wherever a thin interface lies between cell centres, the cells hold as much heavy fluid as lies below them.
TEST(TwoLayers, RiseByWhatTheyRiseHoweverThinTheyAre) {
  constexpr double cell = 0.1;
  for (const double thickness : {0., 1e-6, 1e-3, 0.03, 0.099, 0.1, 0.3})
    for (const double rise : {1e-3, 0.02, 0.05, 0.13}) {
      const TwoLayers layers{.density_below = 1,
                             .density_above = 3,
                             .interface_height = 0.04,
                             .thickness = thickness,
                             .cell_height = cell};
      double moved = 0;
      for (int k = -100; k < 100; ++k)
        moved += cell * (layers.density((k + 0.5) * cell) - layers.density((k + 0.5) * cell, rise));
      EXPECT_NEAR(moved, 2 * rise, 4e-3 * rise) << thickness << " " << rise;
    }
}

TEST(TwoLayers, HaveNoOverflowFarFromAThinInterface) {
  const TwoLayers layers{
      .density_below = 1, .density_above = 3, .thickness = 1e-4, .interface_pressure = 100, .gravity = -1};
  EXPECT_NEAR(layers.pressure(5), 100 - 15 + 1e-4 * std::numbers::ln2, 1e-12);
  EXPECT_NEAR(layers.pressure(-5), 100 + 5 + 1e-4 * std::numbers::ln2, 1e-12);
}

TEST(TwoLayers, FillACutCellWithTheMean) {
  const TwoLayers layers{.density_below = 1, .density_above = 3, .interface_height = 0.5, .cell_height = 0.1};
  EXPECT_DOUBLE_EQ(layers.density(0.5), 2);
  EXPECT_DOUBLE_EQ(layers.density(0.525), 2.5);
  EXPECT_DOUBLE_EQ(layers.density(0.525, 0.05), 1.5);
  EXPECT_EQ(layers.density(0.56), 3);
  EXPECT_EQ(layers.density(0.44), 1);
}

void for_each_cell(const Grid& grid, const std::function<void(int, int, int)>& visit) {
  for (int z = 0; z < grid.cells[2]; ++z)
    for (int y = 0; y < grid.cells[1]; ++y)
      for (int x = 0; x < grid.cells[0]; ++x) visit(x, y, z);
}

TEST(RtSingle, StartsInBalanceToTheLastBit) {
  for (const auto& [name, thickness, profile] : {std::tuple{"rt_single", 0., "constant"},
                                                 {"rt_multi", 0., "isothermal"},
                                                 {"rt_single", 0., "isentropic"},
                                                 {"rt_multi", 0.04, "constant"},
                                                 {"rt_single", 0.04, "isothermal"},
                                                 {"rt_multi", 0.04, "isentropic"}}) {
    const ProblemSetting setting = setting_of(name, {20, 20, 31});
    const auto problem = make_problem(name, setting, {{"thickness", thickness}, {"profile", text(profile)}});
    for_each_cell(setting.grid, [&](int x, int y, int z) {
      const Point point = setting.grid.point(x, y, z);
      const Primitive gas = problem->initial(point);
      ASSERT_EQ(gas.pressure, problem->background(point.position[2]).pressure);
      ASSERT_EQ(gas.velocity, (Vec3{0, 0, 0}));
    });
  }
}

TEST(Hydrostatic, StartsAsItsBackgroundToTheLastBit) {
  for (const char* profile : {"constant", "isothermal", "isentropic"})
    for (const double atwood : {-0.7, 0., 0.9}) {
      const ProblemSetting setting = setting_of("hydrostatic", {4, 4, 33}, {1, 1, 2});
      const auto problem =
          make_problem("hydrostatic", setting, {{"profile", text(profile)}, {"atwood", atwood}});
      for (int z = 0; z < 33; ++z) {
        const Point point = setting.grid.point(1, 2, z);
        const Primitive gas = problem->initial(point);
        EXPECT_EQ(gas.pressure, problem->background(point.position[2]).pressure);
        EXPECT_EQ(gas.density, problem->background(point.position[2]).density);
      }
      EXPECT_EQ(problem->layers().has_value(), atwood != 0);
    }
}

TEST(Hydrostatic, WeighsWhatItsDensitySaysInIsothermalLayers) {
  const ProblemSetting setting = setting_of("hydrostatic", {4, 4, 50});
  const auto problem =
      make_problem("hydrostatic", setting, {{"profile", text("isothermal")}, {"pressure", 0.7}});
  for (double z = 0.01; z < 1; z += 0.02) {
    const auto p = [&](double at) { return problem->background(at).pressure; };
    const double h = 1e-3;
    EXPECT_NEAR((8 * (p(z + h) - p(z - h)) - (p(z + 2 * h) - p(z - 2 * h))) / (12 * h),
                -problem->background(z).density, 1e-9);
  }
}

TEST(Hydrostatic, HasAnAdiabaticPulseOfTheStatedHeight) {
  const ProblemSetting setting = setting_of("hydrostatic", {4, 4, 40});
  const auto problem = make_problem("hydrostatic", setting,
                                    {{"atwood", 0.}, {"pulse.amplitude", 0.01}, {"pulse.height", 0.3875}});
  const Primitive gas = problem->initial(setting.grid.point(0, 0, 15));
  const Background rest = problem->background(setting.grid.centre(2, 15));
  EXPECT_NEAR(gas.pressure / rest.pressure, 1.01, 1e-14);
  EXPECT_NEAR(gas.density / rest.density, std::pow(1.01, 0.6), 1e-14);
}

TEST(Hydrostatic, HasAPulseThatIsABellAQuarterUpTheBoxAndATwentiethWideUnlessToldOtherwise) {
  ProblemSetting setting = setting_of("hydrostatic", {4, 4, 400}, {1, 1, 2});
  setting.grid.lower[2] = -2;
  const auto expect_bell = [&](const Keys& keys, double height, double width) {
    const auto problem = make_problem("hydrostatic", setting, keys);
    const auto excess = [&](double z) {
      return problem->initial(point_at(setting.grid, {0.5, 0.5, z})).pressure /
                 problem->background(z).pressure -
             1;
    };
    for (const double distance : {0., -1., 1., 2.})
      EXPECT_NEAR(excess(height + distance * width), 0.01 * std::exp(-0.5 * distance * distance), 1e-14);
  };
  const Keys pulse{{"atwood", 0.}, {"pulse.amplitude", 0.01}};
  expect_bell(pulse, -1, 0.2);
  Keys told = pulse;
  told.insert(told.end(), {{"pulse.height", 0.3}, {"pulse.width", 0.15}});
  expect_bell(told, 0.3, 0.15);
}

double default_pressure(const std::string& name, const ProblemSetting& setting, const Keys& keys) {
  return make_problem(name, setting, keys)->background(1).pressure;
}

TEST(Layers, HaveAPressureOfTenTimesWhatTheLongestWaveOrTheHigherLayerWeighsUnlessToldOtherwise) {
  const auto box = [](const Vec3& upper) {
    ProblemSetting setting = setting_of("rt_single", {32, 32, 32}, upper);
    setting.gravity = -0.5;
    return setting;
  };
  const Keys at_one{{"density", 1.5}, {"interface", 1.}};
  const auto expect_longest = [&](const std::string& name, const Vec3& upper, Keys keys, double longest) {
    keys.insert(keys.end(), at_one.begin(), at_one.end());
    EXPECT_NEAR(default_pressure(name, box(upper), keys), 10 * 1.5 * 0.5 * longest, 1e-12) << name;
  };
  expect_longest("rt_single", {3, 3, 2}, {{"modes", whole({1, 0})}}, 3);
  expect_longest("rt_single", {3, 3, 2}, {{"modes", whole({1, 1})}}, 3 / std::sqrt(2.));
  expect_longest("rt_single", {3, 3, 2}, {{"modes", whole({3, 0})}}, 1);
  expect_longest("rt_single", {3, 3, 5}, {{"modes", whole({1, 0})}}, 4);
  expect_longest("rt_multi", {12, 3, 2}, {{"modes", whole({4, 8})}}, 3);
  expect_longest("rt_multi", {3, 12, 2}, {{"modes", whole({4, 8})}}, 3);
  expect_longest("hydrostatic", {30, 30, 2.5}, {}, 1.5);
}

// Along which nothing varies: a deep box would only make the gas stiffer and steps shorter.
TEST(Layers, HaveAPressureThatTheDepthOfATwoDimensionalFlowDoesNotChange) {
  const auto deep = [](double depth) {
    return default_pressure("rt_single", setting_of("rt_single", {32, 4, 32}, {1, depth, 2}),
                            {{"modes", whole({1, 0})}});
  };
  EXPECT_EQ(deep(100), deep(0.125));
  EXPECT_EQ(deep(100), 10);
}

TEST(Layers, ConvectByThemselvesOnlyWhereTheirDensityIsConstant) {
  const ProblemSetting setting = setting_of("rt_single", {16, 16, 32}, {1, 1, 2});
  const auto convection = [&](const char* profile, double pressure) {
    return make_problem("rt_single", setting,
                        {{"profile", text(profile)}, {"pressure", pressure}, {"modes", whole({1, 0})}})
        ->convection();
  };
  EXPECT_FALSE(convection("isothermal", 5).has_value());
  EXPECT_FALSE(convection("isentropic", 5).has_value());
  const auto soft = convection("constant", 5);
  ASSERT_TRUE(soft.has_value());
  EXPECT_NEAR(soft->rate, std::sqrt(1 / (5. / 3 * (5 - 1))), 1e-12) << "at the ceiling, where gas is coldest";
  EXPECT_NEAR(soft->wave_rate / std::sqrt(0.5 * 2 * std::numbers::pi), 1, 0.02);
  const auto quiet = convection("constant", soft->quiet_pressure);
  EXPECT_NEAR(quiet->rate / quiet->wave_rate, 0.1, 0.002);
}

void expect_mirrored(const Primitive& gas, const Primitive& image, int axis) {
  ASSERT_EQ(gas.density, image.density);
  ASSERT_EQ(gas.pressure, image.pressure);
  for (int other = 0; other < 3; ++other)
    ASSERT_EQ(gas.velocity[other], other == axis ? -image.velocity[other] : image.velocity[other]);
}

TEST(RtSingle, IsSymmetricToTheLastBitInXAndY) {
  for (const char* perturb : {"velocity", "interface", "eigenmode"})
    for (const std::array<int, 3> cells : {std::array{23, 19, 24}, std::array{22, 26, 23}}) {
      ProblemSetting setting = setting_of("rt_single", cells, {1.7, 1.3, 1.1});
      setting.grid.lower = {0.1, -0.37, 0};
      const auto problem = make_problem(
          "rt_single", setting, {{"perturb", text(perturb)}, {"thickness", 0.05}, {"modes", whole({2, 1})}});
      for_each_cell(setting.grid, [&](int x, int y, int z) {
        const Primitive gas = problem->initial(setting.grid.point(x, y, z));
        expect_mirrored(gas, problem->initial(setting.grid.point(cells[0] - 1 - x, y, z)), 0);
        expect_mirrored(gas, problem->initial(setting.grid.point(x, cells[1] - 1 - y, z)), 1);
      });
    }
}

TEST(RtSingle, HasWholeWavesAcrossABoxOfAnyShape) {
  const ProblemSetting setting = setting_of("rt_single", {16, 16, 16}, {1, 1.4, 2});
  const auto problem =
      make_problem("rt_single", setting, {{"perturb", text("velocity")}, {"modes", whole({2, 1})}});
  const auto w = [&](double x, double y) {
    return problem->initial(point_at(setting.grid, {x, y, 0.9})).velocity[2];
  };
  const double here = w(0.07, 0.11);
  ASSERT_GT(std::abs(here), 1e-3);
  EXPECT_NEAR(w(0.07 + 0.25, 0.11), -here, 1e-15);
  EXPECT_NEAR(w(0.07 + 0.5, 0.11), here, 1e-15);
  EXPECT_NEAR(w(0.07, 0.11 + 0.7), -here, 1e-15);
  EXPECT_NEAR(w(0.07, 0.11 + 1.4), here, 1e-15);
}

TEST(RtSingle, LooksTheSameWithXAndYExchanged) {
  const ProblemSetting setting = setting_of("rt_single", {21, 21, 20});
  for (const char* perturb : {"velocity", "interface", "eigenmode"}) {
    const auto problem =
        make_problem("rt_single", setting, {{"perturb", text(perturb)}, {"thickness", 0.05}});
    for_each_cell(setting.grid, [&](int x, int y, int z) {
      const Primitive gas = problem->initial(setting.grid.point(x, y, z));
      const Primitive image = problem->initial(setting.grid.point(y, x, z));
      ASSERT_EQ(gas.density, image.density);
      ASSERT_EQ(gas.velocity[0], image.velocity[1]);
      ASSERT_EQ(gas.velocity[2], image.velocity[2]);
    });
  }
}

TEST(RtSingle, RaisesABubbleInTheMiddle) {
  const ProblemSetting setting = setting_of("rt_single", {21, 21, 20});
  const Grid& grid = setting.grid;
  const auto raised = make_problem("rt_single", setting, {{"amplitude", 0.03}});
  EXPECT_LT(raised->initial(grid.point(10, 10, 10)).density, raised->background(grid.centre(2, 10)).density);
  const auto pushed = make_problem("rt_single", setting, {{"perturb", text("velocity")}});
  EXPECT_GT(pushed->initial(grid.point(10, 10, 10)).velocity[2], 0);
}

TEST(RtSingle, ActsEvenWithAnAmplitudeFarBelowACell) {
  const ProblemSetting setting = setting_of("rt_single", {8, 8, 16});
  const auto problem = make_problem("rt_single", setting, {{"amplitude", 1e-6}});
  const auto excess = [&](int x, int y) {
    double sum = 0;
    for (int z = 0; z < 16; ++z)
      sum += problem->initial(setting.grid.point(x, y, z)).density -
             problem->background(setting.grid.centre(2, z)).density;
    return sum * setting.grid.spacing(2);
  };
  const double pattern = std::pow(std::cos(2 * std::numbers::pi * 0.5 / 8), 2);
  EXPECT_NEAR(excess(4, 4), -1e-6 * pattern * (1 - 1. / 3), 1e-15);
}

TEST(RtSingle, HangsUpsideDownWhenGravityPointsUp) {
  ProblemSetting down = setting_of("rt_single", {12, 12, 20}), up = down;
  up.gravity = 1;
  for (const char* perturb : {"velocity", "interface", "eigenmode"}) {
    const Keys keys{{"perturb", text(perturb)}, {"thickness", 0.05}};
    const auto one = make_problem("rt_single", down, keys), other = make_problem("rt_single", up, keys);
    for_each_cell(down.grid, [&](int x, int y, int z) {
      const Primitive gas = one->initial(down.grid.point(x, y, z));
      const Primitive image = other->initial(down.grid.point(x, y, 19 - z));
      ASSERT_NEAR(gas.density, image.density, 1e-12);
      ASSERT_NEAR(gas.pressure, image.pressure, 1e-11);
      ASSERT_NEAR(gas.velocity[0], image.velocity[0], 1e-12);
      ASSERT_NEAR(gas.velocity[2], -image.velocity[2], 1e-12);
    });
  }
}

double divergence(const Problem& problem, const Grid& grid, const Vec3& at) {
  const double h = 1e-3;
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto u = [&](double step) {
      Vec3 position = at;
      position[axis] += step;
      return problem.initial(point_at(grid, position)).velocity[axis];
    };
    sum += (8 * (u(h) - u(-h)) - (u(2 * h) - u(-2 * h))) / (12 * h);
  }
  return sum;
}

TEST(RtSingle, HasAVelocityPerturbationWithoutDivergenceThatStopsAtTheWalls) {
  const ProblemSetting setting = setting_of("rt_single", {16, 16, 16}, {1, 1.4, 2});
  const auto problem = make_problem(
      "rt_single", setting, {{"perturb", text("velocity")}, {"amplitude", 0.1}, {"modes", whole({2, 1})}});
  for (double z = 0.03; z < 2; z += 0.113)
    EXPECT_NEAR(divergence(*problem, setting.grid, {0.31, 0.22, z}), 0, 1e-9) << z;
  EXPECT_NEAR(problem->initial(point_at(setting.grid, {0.5, 0.7, 1})).velocity[2], 0.1, 1e-15);
  EXPECT_EQ(problem->initial(point_at(setting.grid, {0.5, 0.7, 0})).velocity[2], 0);
  EXPECT_EQ(problem->initial(point_at(setting.grid, {0.5, 0.7, 2})).velocity[2], 0);
}

TEST(RtSingle, MovesFastestAtItsInterfaceWhereverThatLies) {
  const ProblemSetting setting = setting_of("rt_single", {16, 16, 16}, {1, 1, 2});
  for (const double interface : {0.4, 1., 1.7}) {
    const auto problem = make_problem(
        "rt_single", setting, {{"perturb", text("velocity")}, {"amplitude", 0.1}, {"interface", interface}});
    const auto w = [&](double z) {
      return problem->initial(point_at(setting.grid, {0.5, 0.5, z})).velocity[2];
    };
    EXPECT_NEAR(w(interface), 0.1, 1e-15);
    for (double distance = 0.1; distance < 2; distance += 0.1)
      for (const double z : {interface - distance, interface + distance}) EXPECT_LT(w(z), w(interface)) << z;
  }
}

std::size_t bytes_in_use() {
  const auto heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

// As `tayra check` does: of 8192 x 8192 columns it would take half a gigabyte to know them all.
TEST(RtMulti, TakesLittleMemoryWhereFewOfItsCellsAreAskedFor) {
  constexpr int cells = 1024;
  const ProblemSetting setting = setting_of("rt_multi", {cells, cells, 8});
  const std::size_t before = bytes_in_use();
  const auto problem = make_problem("rt_multi", setting);
  for (int y = 0; y < cells; y += 16)
    for (int x = 0; x < cells; x += 16) problem->initial(setting.grid.point(x, y, 4));
  EXPECT_LT(bytes_in_use() - before, cells * cells * sizeof(double) / 4);
}

TEST(RtMulti, HasTheStatedRootMeanSquareRise) {
  // The excess mass of a column is the rise times the density jump.
  const ProblemSetting setting = setting_of("rt_multi", {36, 30, 64}, {1, 0.75, 1});
  const double amplitude = 0.013;
  const auto problem = make_problem("rt_multi", setting, {{"amplitude", amplitude}});
  double square = 0;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 36; ++x) {
      double excess = 0;
      for (int z = 0; z < 64; ++z)
        excess += problem->background(setting.grid.centre(2, z)).density -
                  problem->initial(setting.grid.point(x, y, z)).density;
      const double rise = excess * setting.grid.spacing(2) / (2. / 3);
      square += rise * rise;
    }
  EXPECT_NEAR(std::sqrt(square / (30 * 36)) / amplitude, 1, 1e-12);
}

TEST(RtMulti, HasTheStatedRootMeanSquareSpeedAtTheInterface) {
  const ProblemSetting setting = setting_of("rt_multi", {30, 30, 9});
  const auto problem = make_problem("rt_multi", setting, {{"perturb", text("velocity")}, {"amplitude", 0.2}});
  double square = 0;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 30; ++x)
      square += std::pow(problem->initial(setting.grid.point(x, y, 4)).velocity[2], 2);
  EXPECT_NEAR(std::sqrt(square / 900) / 0.2, 1, 1e-12);
}

/// How the fields of a start with one wave along y go together, in means over every plane.
std::vector<double> correlations(const Problem& problem, const Grid& grid) {
  std::vector<double> means;
  for (int z = 0; z < grid.cells[2]; ++z) {
    const Background rest = problem.background(grid.centre(2, z));
    std::array<double, 5> sum{};
    for (int y = 0; y < grid.cells[1]; ++y) {
      const auto gas = [&](int at) { return problem.initial(grid.point(1, at, z)); };
      const Primitive here = gas(y), next = gas((y + 1) % grid.cells[1]);
      const double w = here.velocity[2];
      const std::array<double, 5> products{
          (here.density - rest.density) * w, (here.pressure - rest.pressure) * w, w * w,
          here.velocity[1] * here.velocity[1], here.velocity[1] * next.velocity[2]};
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += products[i] / grid.cells[1];
      EXPECT_EQ(here.velocity[0], 0);
    }
    means.insert(means.end(), sum.begin(), sum.end());
  }
  return means;
}

TEST(RtMulti, OfOneWaveIsThatOfRtSingleButForWhereItsCrestLies) {
  const ProblemSetting setting = setting_of("rt_multi", {8, 24, 40}, {0.4, 1, 1.5});
  for (const char* perturb : {"velocity", "eigenmode"}) {
    const Keys both{{"perturb", text(perturb)}, {"thickness", 0.08}, {"interface", 0.6}};
    Keys of_multi = both, of_single = both;
    of_multi.insert(of_multi.end(), {{"modes", whole({1, 1})}, {"amplitude", 1e-3}});
    of_single.insert(of_single.end(), {{"modes", whole({0, 1})}, {"amplitude", std::sqrt(2.) * 1e-3}});
    const auto multi = correlations(*make_problem("rt_multi", setting, of_multi), setting.grid),
               single = correlations(*make_problem("rt_single", setting, of_single), setting.grid);
    ASSERT_EQ(multi.size(), single.size());
    for (std::size_t i = 0; i < multi.size(); ++i)
      EXPECT_NEAR(multi[i], single[i], 1e-12) << perturb << ", product " << i % 5 << " at plane " << i / 5;
  }
}

TEST(RtMulti, HasAVelocityPerturbationWithoutDivergence) {
  const ProblemSetting setting = setting_of("rt_multi", {60, 48, 80}, {1, 0.75, 1});
  const Grid& grid = setting.grid;
  const auto problem = make_problem(
      "rt_multi", setting, {{"perturb", text("velocity")}, {"amplitude", 1.}, {"modes", whole({1, 3})}});
  for (int i = 0; i < 200; ++i) {
    const std::array<int, 3> cell{2 + 7 * i % 56, 2 + 11 * i % 44, i % 2 == 0 ? 2 + i % 36 : 42 + i % 36};
    double divergence = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto u = [&](int step) {
        std::array<int, 3> at = cell;
        at[axis] += step;
        return problem->initial(grid.point(at[0], at[1], at[2])).velocity[axis];
      };
      divergence += (8 * (u(1) - u(-1)) - (u(2) - u(-2))) / (12 * grid.spacing(axis));
    }
    EXPECT_NEAR(divergence, 0, 0.05) << "beside slopes of about 10";
  }
}

TEST(RtMulti, IsTheSameFlowOnAnyGrid) {
  const ProblemSetting coarse = setting_of("rt_multi", {24, 24, 24}),
                       fine = setting_of("rt_multi", {72, 72, 72});
  for (const char* perturb : {"interface", "velocity", "eigenmode"}) {
    const Keys keys{{"perturb", text(perturb)}, {"thickness", 0.08}};
    const auto one = make_problem("rt_multi", coarse, keys), other = make_problem("rt_multi", fine, keys);
    for_each_cell(coarse.grid, [&](int x, int y, int z) {
      // The same point: the middle one of the three fine cells.
      const Primitive a = one->initial(coarse.grid.point(x, y, z));
      const Primitive b = other->initial(fine.grid.point(3 * x + 1, 3 * y + 1, 3 * z + 1));
      ASSERT_NEAR(a.density, b.density, 1e-12);
      ASSERT_NEAR(a.pressure, b.pressure, 1e-12);
      for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(a.velocity[axis], b.velocity[axis], 1e-12);
    });
  }
}

TEST(RtMulti, ChangesWithTheSeed) {
  const ProblemSetting setting = setting_of("rt_multi", {32, 32, 32});
  const auto one = make_problem("rt_multi", setting);
  const auto other = make_problem("rt_multi", setting, {{"seed", std::int64_t{2}}});
  int different = 0;
  for_each_cell(setting.grid, [&](int x, int y, int z) {
    const Point point = setting.grid.point(x, y, z);
    different += one->initial(point).density != other->initial(point).density ? 1 : 0;
  });
  EXPECT_GT(different, 100);
}

TEST(CounterRandom, IsPhiloxAsPublished) {
  // Known answers of the Random123 library for ten rounds.
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, DependsOnEveryPartOfASeedAndOfAName) {
  const auto numbers = normal_pair(7, 1, 2);
  EXPECT_NE(normal_pair(8, 1, 2), numbers);
  EXPECT_NE(normal_pair(7 + (std::uint64_t{1} << 32), 1, 2), numbers);
  EXPECT_NE(normal_pair(7, -1, 2), numbers);
  EXPECT_NE(normal_pair(7, 1, -2), numbers);
  EXPECT_NE(normal_pair(7, 2, 1), numbers);
}

TEST(CounterRandom, IsNormallyDistributed) {
  double sum = 0, square = 0, product = 0;
  const int side = 300;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const auto [a, b] = normal_pair(7, i, j);
      sum += a + b;
      square += a * a + b * b;
      product += a * b;
    }
  const double count = 2. * side * side;
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(square / count, 1, 0.02);
  EXPECT_NEAR(product / count, 0, 0.01);
}

TEST(RtProblems, RefuseWhatIsImpossibleAndNameTheKey) {
  ProblemSetting setting = setting_of("rt_single", {16, 16, 32}, {1, 1, 2});
  EXPECT_THAT(refusal("rt_single", setting, {{"pressure", 0.999}}), StartsWith("pressure: "));
  EXPECT_EQ(refusal("rt_single", setting, {{"pressure", 1.001}}), "accepted") << "above 0 in the whole box";
  setting.gravity = 1;
  EXPECT_THAT(refusal("rt_single", setting, {{"pressure", 0.999}}), StartsWith("pressure: "));
  setting.gravity = -1;
  EXPECT_THAT(refusal("rt_single", setting, {{"interface", 2.5}}), StartsWith("interface: "));
  EXPECT_THAT(refusal("rt_single", setting, {{"amplitude", 1.5}}), StartsWith("amplitude: "));
  EXPECT_THAT(refusal("rt_single", setting, {{"interface", 0.3}, {"amplitude", 0.4}}),
              StartsWith("amplitude: "));
  EXPECT_THAT(refusal("rt_single", setting, {{"perturb", text("eigenmode")}}), StartsWith("thickness: "));
  EXPECT_THAT(refusal("rt_multi", setting, {{"perturb", text("eigenmode")}, {"thickness", 0.06}}),
              StartsWith("thickness: "));
  EXPECT_THAT(refusal("rt_single", setting, {{"modes", whole({0, 0})}}), StartsWith("modes: "));
  EXPECT_THAT(refusal("rt_single", setting, {{"modes", whole({1, 5})}}), StartsWith("modes: "));
  EXPECT_THAT(refusal("rt_multi", setting, {{"modes", whole({4, 8})}}), StartsWith("modes: "));
  EXPECT_THAT(refusal("rt_multi", setting, {{"modes", whole({5, 4})}}), StartsWith("modes: "));
  EXPECT_THAT(refusal("rt_single", setting,
                      {{"perturb", text("eigenmode")}, {"thickness", 0.07}, {"amplitude", 0.08}}),
              StartsWith("amplitude: "));
  EXPECT_THAT(refusal("rt_single", setting, {{"profile", text("isentropic")}, {"pressure", 0.399}}),
              HasSubstr("give more than 0.4"));
  EXPECT_EQ(refusal("rt_single", setting, {{"profile", text("isentropic")}, {"pressure", 0.401}}),
            "accepted");
  EXPECT_EQ(refusal("rt_single", setting, {{"profile", text("isothermal")}, {"pressure", 0.01}}), "accepted");
  setting.grid.boundary[2] = Boundary::periodic;
  setting.gravity = 0;
  EXPECT_THAT(refusal("rt_single", setting, {}), HasSubstr("physics.gravity"));
  EXPECT_THAT(refusal("hydrostatic", setting, {}), StartsWith("pressure: "));
  EXPECT_EQ(refusal("hydrostatic", setting, {{"pressure", 1.}}), "accepted");
  for (const auto& [key, value] : Keys{{"pulse.height", 2.1}, {"pulse.width", 0.01}}) {
    EXPECT_THAT(refusal("hydrostatic", setting, {{"pressure", 1.}, {"pulse.amplitude", 0.1}, {key, value}}),
                StartsWith(key + ": "));
    EXPECT_EQ(refusal("hydrostatic", setting, {{"pressure", 1.}, {key, value}}), "accepted") << "no pulse";
  }
}

// A negative amplitude turns crests into troughs: one of them reaches a wall as soon as the other would.
TEST(RtProblems, RefuseRandomWavesOfWhichACrestOrATroughReachesAWall) {
  const ProblemSetting setting = setting_of("rt_multi", {16, 16, 32}, {1, 1, 2});
  const auto answer = [&](double amplitude) {
    return refusal("rt_multi", setting, {{"modes", whole({1, 3})}, {"amplitude", amplitude}});
  };
  EXPECT_EQ(answer(0.2), "accepted");
  EXPECT_THAT(answer(1), StartsWith("amplitude: the interface would reach "));
  for (double amplitude = 0.2; amplitude < 1; amplitude += 0.01)
    EXPECT_EQ(answer(amplitude), answer(-amplitude));
}

TEST(RtProblems, CountTheWavesOfABandAlongEachSideOfABox) {
  ProblemSetting setting = setting_of("rt_multi", {32, 16, 32}, {1, 0.5, 1});
  EXPECT_EQ(refusal("rt_multi", setting, {{"modes", whole({1, 15})}}), "accepted");
  EXPECT_THAT(refusal("rt_multi", setting, {{"modes", whole({1, 16})}}),
              StartsWith("modes: 16 waves along x"));
  setting.grid.cells[1] = 14;
  EXPECT_THAT(refusal("rt_multi", setting, {{"modes", whole({1, 15})}}),
              StartsWith("modes: 7 waves along y"));
}

TEST(RtProblems, RefuseWavesThatAnAxisOrItsBoundaryDoesNotTakeAndTooManyOfThem) {
  ProblemSetting setting = setting_of("rt_single", {32, 16, 32});
  EXPECT_THAT(refusal("rt_single", setting, {{"modes", whole({1, 5})}}),
              StartsWith("modes: 5 waves along y"));
  EXPECT_EQ(refusal("rt_single", setting, {{"modes", whole({5, 1})}}), "accepted");
  setting.grid.cells = {192, 192, 8};
  const Keys velocity{{"perturb", text("velocity")}, {"modes", whole({4, 60})}};
  EXPECT_THAT(refusal("rt_multi", setting, velocity), StartsWith("modes: hold"));
  for (const int axis : {0, 1}) {
    ProblemSetting walled = setting;
    walled.grid.boundary[axis] = Boundary::mirror;
    EXPECT_THAT(refusal("rt_multi", walled, {{"perturb", text("velocity")}}),
                HasSubstr("grid.boundary.x and y"));
  }
  setting.grid.boundary[2] = Boundary::outflow;
  EXPECT_THAT(refusal("rt_single", setting, {{"perturb", text("eigenmode")}, {"thickness", 0.2}}),
              HasSubstr("grid.boundary.z"));
}

}  // namespace
}  // namespace tayra::testing
