// A mirror-symmetric start stays mirror-symmetric, bit for bit, while a bubble rolls up.
#include <gtest/gtest.h>

#include "solver/flow.hpp"

namespace tayra::testing {
namespace {

/// Cells whose image in the middle plane across the axis differs in any bit.
int asymmetric_cells(Flow& flow, int axis) {
  const std::vector<double> state = flow.state();
  const auto [nx, ny, nz] = flow.grid().cells;
  int count = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int image_x = axis == 0 ? nx - 1 - x : x, image_y = axis == 1 ? ny - 1 - y : y;
        bool same = true;
        for (int v = 0; v < 5; ++v) {
          const double image = state[flow.place(v, image_x, image_y, z)];
          same = same && state[flow.place(v, x, y, z)] == (v == 1 + axis ? -image : image);
        }
        count += same ? 0 : 1;
      }
  return count;
}

class SymmetrySlow : public ::testing::TestWithParam<std::string> {};

TEST_P(SymmetrySlow, IsKeptToTheLastBitInXAndYInANonlinearRun) {
  for (const std::array<int, 2> cells : {std::array{20, 18}, std::array{17, 21}}) {
    const SolverSettings settings = settings_of("rt_single", GetParam(), {cells[0], cells[1], 24});
    Flow flow("rt_single", settings, {{"amplitude", 0.1}, {"pressure", 2.}, {"atwood", 0.8}});
    flow.run_steps(600);
    ASSERT_TRUE(flow.course().stayed_a_gas);
    EXPECT_EQ(asymmetric_cells(flow, 0), 0) << cells[0];
    EXPECT_EQ(asymmetric_cells(flow, 1), 0) << cells[1];
  }
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, SymmetrySlow, ::testing::ValuesIn(scheme_names()),
                         [](const auto& one) { return one.param; });

class SmoothFlow : public ::testing::TestWithParam<std::string> {};

TEST_P(SmoothFlow, IsTheSameToTheLastBitWithAndWithoutThePositivityLimiter) {
  SolverSettings settings = settings_of("simple_wave", GetParam(), {16, 16, 16});
  Flow limited("simple_wave", settings);
  settings.positivity = false;
  Flow free("simple_wave", settings);
  for (Flow* flow : {&limited, &free}) flow->run_until(0.1);
  EXPECT_EQ(limited.course().limited_faces, 0u);
  EXPECT_EQ(limited.state(), free.state());
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, SmoothFlow, ::testing::ValuesIn(scheme_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace tayra::testing
