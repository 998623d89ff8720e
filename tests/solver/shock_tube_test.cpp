// Riemann problems against their exact solution, for the schemes that claim shocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "physics/exact_riemann.hpp"
#include "physics/schemes.hpp"
#include "solver/flow.hpp"

namespace tayra::testing {
namespace {

/// Toro (2009), table 4.1: five tests on [0, 1], gamma = 1.4, with the membrane and time of his section 6.4.
struct RiemannTest {
  const char* name;
  RiemannState left, right;
  double position, time;
  double largest_error;  // mean |density - exact| on 100 cells
};

const RiemannTest tests[] = {
    {"Sod", {1, 0, 1}, {0.125, 0, 0.1}, 0.5, 0.2, 8e-3},
    {"double rarefaction", {1, -2, 0.4}, {1, 2, 0.4}, 0.5, 0.15, 1.4e-2},
    {"left blast", {1, 0, 1000}, {1, 0, 0.01}, 0.5, 0.012, 0.14},
    {"right blast", {1, 0, 0.01}, {1, 0, 100}, 0.5, 0.035, 0.13},
    {"collision", {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 0.4, 0.035, 0.47}};

Flow start(const RiemannTest& test, const std::string& scheme, int cells, int axis,
           std::optional<double> fixed_dt = std::nullopt) {
  std::array<int, 3> counts{4, 4, 4};
  counts[axis] = cells;
  SolverSettings settings = settings_of("shock_tube", scheme, counts);
  settings.gamma = 1.4;
  settings.fixed_dt = fixed_dt;
  return Flow("shock_tube", settings,
              {{"axis", std::string(1, "xyz"[axis])},
               {"position", test.position},
               {"left.density", test.left.density},
               {"left.velocity", test.left.velocity},
               {"left.pressure", test.left.pressure},
               {"right.density", test.right.density},
               {"right.velocity", test.right.velocity},
               {"right.pressure", test.right.pressure}});
}

/// Mean |density - exact| after the test's time.
double density_error(const RiemannTest& test, const std::string& scheme, int cells) {
  Flow flow = start(test, scheme, cells, 0);
  flow.run_until(test.time);
  EXPECT_TRUE(flow.course().stayed_a_gas) << test.name;
  const std::vector<double> state = flow.state();
  const ExactRiemann exact(test.left, test.right, 1.4);
  double sum = 0;
  for (int x = 0; x < cells; ++x) {
    const double from_membrane = flow.grid().centre(0, x) - test.position;
    sum += std::abs(state[flow.place(0, x, 0, 0)] - exact.sample(from_membrane / test.time).density);
  }
  return sum / cells;
}

class ShockSchemes : public ::testing::TestWithParam<std::string> {};

TEST_P(ShockSchemes, ConvergeToTheExactSolutionOfTorosFiveTests) {
  for (const RiemannTest& test : tests) {
    const double coarse = density_error(test, GetParam(), 100);
    const double fine = density_error(test, GetParam(), 200);
    fmt::print("{:8} {:18}  100: {:.3e}  200: {:.3e}\n", GetParam(), test.name, coarse, fine);
    EXPECT_LT(coarse, test.largest_error) << test.name;
    EXPECT_LT(fine, coarse / 1.5) << test.name;
  }
}

/// Density, the velocity along the axis and energy of the tube, cell by cell; nothing else may move.
std::vector<double> profile(Flow& flow, int axis) {
  const std::vector<double> state = flow.state();
  std::vector<double> values;
  for (int i = 0; i < flow.grid().cells[axis]; ++i) {
    std::array<int, 3> cell{1, 2, 3};
    cell[axis] = i;
    const auto value = [&](int variable) { return state[flow.place(variable, cell[0], cell[1], cell[2])]; };
    values.insert(values.end(), {value(0), value(1 + axis), value(4)});
    for (const int other : {(axis + 1) % 3, (axis + 2) % 3}) EXPECT_EQ(value(1 + other), 0);
  }
  return values;
}

TEST_P(ShockSchemes, GiveTheSameProfileAlongEveryAxisToTheLastBit) {
  std::array<std::vector<double>, 3> profiles;
  for (int axis = 0; axis < 3; ++axis) {
    // A fixed step: the CFL condition sums over x, y, z in this order, whatever the tube's axis.
    Flow flow = start(tests[0], GetParam(), 64, axis, 0.002);
    flow.run_until(0.1);
    profiles[axis] = profile(flow, axis);
  }
  EXPECT_EQ(profiles[0], profiles[1]);
  EXPECT_EQ(profiles[0], profiles[2]);
}

std::vector<std::string> schemes_that_capture_shocks() {
  std::vector<std::string> names;
  for (const NamedScheme& scheme : all_schemes())
    if (scheme.traits.captures_shocks) names.push_back(scheme.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, ShockSchemes, ::testing::ValuesIn(schemes_that_capture_shocks()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace tayra::testing
