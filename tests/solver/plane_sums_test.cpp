// Tests of what is summed over planes, and of how cells of two fluids are told apart.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "io/numbers_of_columns.hpp"
#include "solver/cell_sums.hpp"
#include "solver/flow.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

constexpr double gamma = 1.4;
constexpr Layers layers{
    .light_density = 0.5, .heavy_density = 2, .interface_height = 0, .interface_pressure = 3};

double fraction_at(double density, double pressure) {
  return heavy_fraction(density, pressure, gamma, layers);
}

/// The density that a fluid takes on when it is brought from the interface to this pressure without heat.
double squeezed(double density, double pressure) { return density * std::pow(pressure / 3, 1 / gamma); }

TEST(HeavyFraction, IsTheVolumeFractionOfAMixtureAtOnePressure) {
  EXPECT_EQ(fraction_at(0.5, 3), 0);
  EXPECT_NEAR(fraction_at(0.25 * 2 + 0.75 * 0.5, 3), 0.25, 1e-15);
  EXPECT_EQ(fraction_at(2, 3), 1);
}

TEST(HeavyFraction, StaysAsItIsWhenTheFluidIsSqueezedOrExpands) {
  for (const double pressure : {0.3, 2.9, 3.1, 30.})
    for (const double fraction : {0.01, 0.5, 0.99}) {
      const double density = 0.5 + 1.5 * fraction;
      EXPECT_NEAR(fraction_at(squeezed(density, pressure), pressure), fraction, 1e-13);
    }
}

TEST(HeavyFraction, OfACellIsMixedByItsShareTimesTheOther) {
  for (const double fraction : {0., 0.25, 1.}) {
    const double density = 0.5 + 1.5 * fraction, speed = 0.3, background = 2;
    const State<double> state{
        density, {{0, density * speed, 0}}, (3 - background) / (gamma - 1) + 0.5 * density * speed * speed};
    const PlaneSums sums = sums_of_cell<double>(state, nullptr, 0, 0, background, gamma, layers);
    EXPECT_NEAR(sums.heavy_fraction, fraction, 1e-14);
    EXPECT_NEAR(sums.mixed_fraction, fraction * (1 - fraction), 1e-14);
  }
}

TEST(HeavyFraction, OfOneFluidIsZero) { EXPECT_EQ(heavy_fraction(5, 3, gamma, Layers{}), 0); }

/// A column three scale heights high, at rest.
SolverSettings strongly_stratified(double gravity = -1) {
  SolverSettings settings = settings_of("hydrostatic", "roe3", {4, 4, 64}, {1, 1, 2});
  settings.gravity = gravity;
  return settings;
}

/// The gas of a cell, or of the one that is read instead beyond the box.
Primitive gas_at(const Problem& problem, const Grid& grid, std::array<int, 3> cell) {
  for (int axis = 0; axis < 3; ++axis)
    cell[axis] = ghost_source(cell[axis], grid.cells[axis], grid.boundary[axis]).index;
  return problem.initial(grid.point(cell[0], cell[1], cell[2]));
}

struct Rotation {
  double enstrophy = 0, baroclinic = 0;
};
Rotation rotation_at(const Problem& problem, const Grid& grid, const std::array<int, 3>& cell) {
  std::array<Vec3, 3> velocity{};  // by axis of the derivative
  Vec3 density{}, pressure{};
  for (int axis = 0; axis < 3; ++axis) {
    auto lower = cell, upper = cell;
    --lower[axis];
    ++upper[axis];
    const Primitive below = gas_at(problem, grid, lower), above = gas_at(problem, grid, upper);
    const double apart = 2 * grid.spacing(axis);
    for (int i = 0; i < 3; ++i) velocity[axis][i] = (above.velocity[i] - below.velocity[i]) / apart;
    density[axis] = (above.density - below.density) / apart;
    pressure[axis] = (above.pressure - below.pressure) / apart;
  }
  const Vec3 curl{velocity[1][2] - velocity[2][1], velocity[2][0] - velocity[0][2],
                  velocity[0][1] - velocity[1][0]};
  const Vec3 torque{density[1] * pressure[2] - density[2] * pressure[1],
                    density[2] * pressure[0] - density[0] * pressure[2],
                    density[0] * pressure[1] - density[1] * pressure[0]};
  Rotation rotation;
  for (int i = 0; i < 3; ++i) {
    rotation.enstrophy += 0.5 * curl[i] * curl[i];
    rotation.baroclinic += curl[i] * torque[i] / std::pow(gas_at(problem, grid, cell).density, 2);
  }
  return rotation;
}

/// Of the start, from the problem's own words.
void expect_sums_of_cells(DeviceKind device, Precision precision) {
  const std::array cells{7, 5, 6};
  const std::array boundary{Boundary::periodic, Boundary::outflow, Boundary::mirror};
  SolverSettings settings = trial_settings({"roe3", precision}, cells, boundary);
  settings.device = device;
  settings.slabs = 2;
  const Waves3d problem(Tumult::smooth, true);
  const auto planes = make_simulation(settings, problem)->plane_sums();
  ASSERT_EQ(planes.size(), 6u);
  const double rounding = precision == Precision::single ? 1e-5 : 1e-13;
  for (int z = 0; z < 6; ++z) {
    std::array<double, 5> sums{};
    Vec3 kinetic{};
    Rotation rotation, unsigned_rotation;
    double max_mach = 0, max_speed_w = 0, min_density = 1e9, min_pressure = 1e9;
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x) {
        const Primitive gas = problem.initial(settings.grid.point(x, y, z));
        const auto state = conserved(gas, settings.gamma);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += state[i];
        const Rotation here = rotation_at(problem, settings.grid, {x, y, z});
        rotation.enstrophy += here.enstrophy;
        rotation.baroclinic += here.baroclinic;
        unsigned_rotation.baroclinic += std::abs(here.baroclinic);
        const Vec3& u = gas.velocity;
        for (int axis = 0; axis < 3; ++axis) kinetic[axis] += 0.5 * gas.density * u[axis] * u[axis];
        const double sound = std::sqrt(settings.gamma * gas.pressure / gas.density);
        max_mach = std::max(max_mach, std::hypot(u[0], u[1], u[2]) / sound);
        max_speed_w = std::max(max_speed_w, std::abs(u[2]));
        min_density = std::min(min_density, gas.density);
        min_pressure = std::min(min_pressure, gas.pressure);
      }
    const PlaneSums& plane = planes[z];
    EXPECT_NEAR(plane.density, sums[0], 35 * rounding) << z;
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(plane.momentum[axis], sums[1 + axis], 35 * rounding) << z << " " << axis;
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(plane.kinetic_energy[axis], kinetic[axis], 35 * rounding) << z << " " << axis;
    EXPECT_NEAR(plane.energy, sums[4], 70 * rounding) << z;
    EXPECT_NEAR(plane.enstrophy, rotation.enstrophy, 35 * rounding * rotation.enstrophy) << z;
    EXPECT_NEAR(plane.baroclinic, rotation.baroclinic, 350 * rounding * unsigned_rotation.baroclinic) << z;
    EXPECT_GT(unsigned_rotation.baroclinic, 0.01) << "nothing would be measured";
    EXPECT_NEAR(plane.max_mach, max_mach, rounding) << z;
    EXPECT_NEAR(plane.max_speed_w, max_speed_w, rounding) << z;
    EXPECT_NEAR(plane.min_density, min_density, rounding) << z;
    EXPECT_NEAR(plane.min_pressure, min_pressure, rounding) << z;
  }
}

TEST(PlaneSums, AreThoseOfTheirCells) {
  for (const Precision precision : {Precision::double_, Precision::single})
    expect_sums_of_cells(DeviceKind::cpu, precision);
}

TEST(GpuPlaneSums, AreThoseOfTheirCells) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  for (const Precision precision : {Precision::double_, Precision::single})
    expect_sums_of_cells(DeviceKind::cuda, precision);
}

/// After some steps, with neighbours' planes for what is made of differences.
std::vector<PlaneSums> sums_after_steps(DeviceKind device, int slabs, Boundary z) {
  SolverSettings settings =
      trial_settings({"muscl", Precision::double_}, {7, 5, 9}, {Boundary::periodic, Boundary::mirror, z});
  settings.device = device;
  settings.slabs = slabs;
  const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, settings.gravity != 0));
  simulation->advance(5, 1e300);
  simulation->finish();
  return simulation->plane_sums();
}

void expect_same_sums_for_any_number_of_slabs(DeviceKind device) {
  for (const Boundary z : {Boundary::periodic, Boundary::mirror, Boundary::outflow}) {
    const auto alone = sums_after_steps(device, 1, z);
    for (const int slabs : {2, 4}) {
      const auto cut = sums_after_steps(device, slabs, z);
      ASSERT_EQ(cut.size(), alone.size());
      for (std::size_t k = 0; k < cut.size(); ++k) {
        EXPECT_EQ(cut[k].enstrophy, alone[k].enstrophy) << slabs << " slabs, plane " << k;
        EXPECT_EQ(cut[k].baroclinic, alone[k].baroclinic) << slabs << " slabs, plane " << k;
        EXPECT_EQ(cut[k].energy, alone[k].energy) << slabs << " slabs, plane " << k;
      }
    }
  }
}

TEST(PlaneSums, AreTheSameToTheLastBitForAnyNumberOfSlabs) {
  expect_same_sums_for_any_number_of_slabs(DeviceKind::cpu);
}
TEST(GpuPlaneSums, AreTheSameToTheLastBitForAnyNumberOfSlabs) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_same_sums_for_any_number_of_slabs(DeviceKind::cuda);
}

void expect_masses_to_be_those_of_all_sums(DeviceKind device) {
  for (const Precision precision : {Precision::double_, Precision::single}) {
    SolverSettings settings = trial_settings({"muscl", precision}, {7, 5, 9}, {});
    settings.device = device;
    const auto simulation = make_simulation(settings, Waves3d(Tumult::smooth, false));
    const auto all = simulation->plane_sums(), masses = simulation->plane_sums(Sums::mass);
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(masses[k].density, all[k].density);
      EXPECT_EQ(masses[k].fingerprint, all[k].fingerprint);
      EXPECT_NE(all[k].enstrophy, 0);
      EXPECT_EQ(masses[k].enstrophy, 0) << "nobody has asked for it";
    }
  }
}

TEST(PlaneSums, OfMassAloneAreThoseOfAll) { expect_masses_to_be_those_of_all_sums(DeviceKind::cpu); }
TEST(GpuPlaneSums, OfMassAloneAreThoseOfAll) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_masses_to_be_those_of_all_sums(DeviceKind::cuda);
}

// In a flow along x and z nothing stretches vortices, and at this pressure hardly anything squeezes them. The
// grid takes some 5 %.
TEST(Enstrophy, GrowsByWhatBaroclinicTorqueAddsWhereABubbleRises) {
  Flow flow("rt_single", settings_of("rt_single", "muscl", {32, 4, 64}, {1, 0.125, 2}),
            {{"atwood", 0.3},
             {"pressure", 20.},
             {"amplitude", 0.02},
             {"thickness", 0.1},
             {"modes", whole({1, 0})}});
  const auto measured = [&] { return numbers_of(flow.simulation().plane_sums(), flow.grid(), std::nullopt); };
  flow.run_until(0.5);
  Numbers last = measured();
  const double start = last.at("enstrophy");
  double added = 0, time = flow.simulation().time();
  for (int i = 1; i <= 20; ++i) {
    flow.run_until(0.5 + 0.025 * i);
    const Numbers now = measured();
    added += 0.5 * (last.at("baroclinic") + now.at("baroclinic")) * (flow.simulation().time() - time);
    time = flow.simulation().time();
    last = now;
  }
  EXPECT_GT(last.at("enstrophy"), 3 * start);
  EXPECT_NEAR(added / (last.at("enstrophy") - start), 1, 0.1);
}

TEST(Fingerprint, ChangesWithEveryWordOfACellAndWhereCellsOrPlanesTradePlaces) {
  const State<double> one{1, {{2, 3, 4}}, 5}, other{1, {{2, 3, 4}}, 6};
  EXPECT_NE(fingerprint_of(one, 0) + fingerprint_of(other, 1),
            fingerprint_of(other, 0) + fingerprint_of(one, 1));
  for (const State<double>& changed :
       {State<double>{9, {{2, 3, 4}}, 5}, State<double>{1, {{9, 3, 4}}, 5}, State<double>{1, {{2, 9, 4}}, 5},
        State<double>{1, {{2, 3, 9}}, 5}, State<double>{1, {{2, 3, 4}}, 9}, State<double>{1, {{3, 2, 4}}, 5}})
    EXPECT_NE(fingerprint_of(changed, 0), fingerprint_of(one, 0));
  std::vector<PlaneSums> planes(2);
  planes[0].fingerprint = fingerprint_of(one, 0);
  planes[1].fingerprint = fingerprint_of(other, 0);
  const std::uint64_t as_they_are = fingerprint_of(planes);
  std::swap(planes[0], planes[1]);
  EXPECT_NE(fingerprint_of(planes), as_they_are);
}

// On a GPU square_root() of zero is no number.
void expect_rest(DeviceKind device) {
  SolverSettings settings = settings_of("hydrostatic", "roe3", {4, 4, 8});
  settings.device = device;
  Flow flow("hydrostatic", settings);
  for (const PlaneSums& plane : flow.simulation().plane_sums()) {
    EXPECT_EQ(plane.max_mach, 0);
    EXPECT_EQ(plane.max_speed_w, 0);
    EXPECT_EQ(plane.enstrophy, 0);
    EXPECT_EQ(plane.baroclinic, 0);
  }
}

TEST(PlaneSums, OfAColumnAtRestHaveNoSpeed) { expect_rest(DeviceKind::cpu); }
TEST(GpuPlaneSums, OfAColumnAtRestHaveNoSpeed) {
  if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  expect_rest(DeviceKind::cuda);
}

/// A sharp interface cuts no cell here: every plane is of one fluid.
void expect_pure_planes(Flow& flow) {
  ASSERT_TRUE(flow.problem().layers().has_value());
  const auto planes = flow.simulation().plane_sums();
  const double first = planes.front().heavy_fraction, last = planes.back().heavy_fraction;
  EXPECT_NEAR(first + last, 16, 1e-9);
  EXPECT_EQ(flow.problem().layers()->heavy_above, last > first);
  for (std::size_t z = 0; z < planes.size(); ++z)
    EXPECT_NEAR(planes[z].heavy_fraction, z < planes.size() / 2 ? first : last, 1e-9) << z;
}

TEST(HeavyFraction, OfStratifiedLayersAtRestIsZeroOrOneInEveryPlane) {
  for (const double gravity : {-1., 1.})
    for (const char* profile : {"constant", "isothermal"})
      for (const double atwood : {0.7, -0.7}) {
        SCOPED_TRACE(::testing::Message() << profile << ", Atwood " << atwood << ", gravity " << gravity);
        Flow flow("hydrostatic", strongly_stratified(gravity),
                  {{"profile", std::string(profile)}, {"atwood", atwood}, {"pressure", 1.5}});
        expect_pure_planes(flow);
      }
}

TEST(HeavyFraction, IsNotAskedForWhereStratificationHidesTheFluids) {
  Flow flow("hydrostatic", strongly_stratified(), {{"atwood", -0.05}, {"pressure", 1.5}});
  EXPECT_FALSE(flow.problem().layers().has_value());
}

TEST(MixingLayer, IsNotWidenedByGasThatIsSqueezedBesideIt) {
  const SolverSettings settings = settings_of("hydrostatic", "roe3", {4, 4, 64}, {1, 1, 2});
  Flow flow("hydrostatic", settings,
            {{"atwood", 0.5}, {"pulse.amplitude", 0.1}, {"pulse.height", 0.95}, {"pulse.width", 0.1}});
  const Numbers layer = numbers_of(flow.simulation().plane_sums(), flow.grid(), *flow.problem().layers());
  EXPECT_LT(layer.at("spike_height"), flow.grid().spacing(2));
  EXPECT_LT(layer.at("bubble_height"), flow.grid().spacing(2));
  EXPECT_LT(layer.at("mixing_width"), 1e-3);
}

}  // namespace
}  // namespace tayra::testing
