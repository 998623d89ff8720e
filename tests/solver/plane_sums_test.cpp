// Tests of how cells of two fluids are told apart.
#include <gtest/gtest.h>

#include <cmath>

#include "io/diagnostics_log.hpp"
#include "solver/cell_sums.hpp"
#include "solver/flow.hpp"

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

TEST(HeavyFraction, OfOneFluidIsZero) { EXPECT_EQ(heavy_fraction(5, 3, gamma, Layers{}), 0); }

/// A column three scale heights high, at rest.
SolverSettings strongly_stratified(double gravity = -1) {
  SolverSettings settings = settings_of("hydrostatic", "roe3", {4, 4, 64}, {1, 1, 2});
  settings.gravity = gravity;
  return settings;
}

/// A sharp interface cuts no cell here: every plane is of one fluid.
void expect_pure_planes(Flow& flow) {
  ASSERT_TRUE(flow.problem().layers().has_value());
  const auto planes = flow.simulation().plane_sums();
  const double first = planes.front().heavy_fraction, last = planes.back().heavy_fraction;
  EXPECT_NEAR(first + last, 16, 1e-9);
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
  const MixingLayer layer =
      measure_layer(flow.simulation().plane_sums(), flow.grid(), *flow.problem().layers());
  EXPECT_LT(layer.spike_height, flow.grid().spacing(2));
  EXPECT_LT(layer.bubble_height, flow.grid().spacing(2));
  EXPECT_LT(layer.mixing_width, 1e-3);
}

}  // namespace
}  // namespace tayra::testing
