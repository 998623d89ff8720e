// Tests of the report on a cell that is no gas any more.
#include "app/bad_cell.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "io/fake_simulation.hpp"

namespace tayra {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string report_on(int x, int y, int z, SolverSettings settings = {}) {
  settings.grid = {.cells = {4, 5, 6}, .lower = {0, 0, 0}, .upper = {4, 5, 6}};
  settings.gamma = 1.5;
  const auto state = [](int i, int j, int k) {
    return std::array<double, 5>{1 + i + 10. * j + 100. * k, 0, 0, 0, 2. * i - 3};
  };
  FakeSimulation simulation(settings.grid, 0.25, state, settings.gamma,
                            static_cast<int>(settings.scalars.size()));
  StepRecord record;
  record.step = 7;
  record.time = 0.25;
  record.bad_cell = x + 4 * (y + 5 * z);
  return describe_bad_cell(simulation, settings, record);
}

TEST(BadCell, IsNamedWithPositionDensityAndPressure) {
  EXPECT_THAT(report_on(1, 2, 3),
              HasSubstr("step 7, time 0.25: the flow broke down in cell (1, 2, 3) at (1.5, 2.5, 3.5) "
                        "with density 322 and pressure -0.5"));
}

TEST(BadCell, OfAFlowThatCarriesScalarsIsNamedAsWell) {
  SolverSettings settings;
  settings.scalars = {"fraction", "dye"};
  EXPECT_EQ(report_on(1, 2, 3, settings), report_on(1, 2, 3));
}

TEST(BadCell, ComesWithAdviceThatFitsTheRun) {
  SolverSettings settings;
  EXPECT_THAT(report_on(1, 2, 3, settings), HasSubstr("pressure -0.5: lower numerics.cfl (it is 0.6)\n"));
  settings.fixed_dt = 0.125;
  EXPECT_THAT(report_on(1, 2, 3, settings), HasSubstr("pressure -0.5: lower numerics.dt (it is 0.125)\n"));
  settings.scheme = "roe3";
  settings.positivity = false;
  EXPECT_THAT(report_on(1, 2, 3, settings),
              HasSubstr("pressure -0.5: switch numerics.positivity on (it is off), or take numerics.scheme "
                        "muscl (it is roe3), or lower numerics.dt (it is 0.125)\n"));
}

TEST(BadCell, ComesWithItsNeighbours) {
  const std::string report = report_on(1, 2, 3);
  for (const char* row : {"(0, 2, 3)           321          -1.5             0\n",
                          "(2, 2, 3)           323           0.5             0\n",
                          "(1, 1, 3)           312          -0.5             0\n",
                          "(1, 3, 3)           332          -0.5             0\n",
                          "(1, 2, 2)           222          -0.5             0\n",
                          "(1, 2, 4)           422          -0.5             0\n"})
    EXPECT_THAT(report, HasSubstr(row));
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 9);
}

TEST(BadCell, AtACornerHasThreeNeighbours) {
  for (const auto& report : {report_on(0, 0, 0), report_on(3, 4, 5)}) {
    EXPECT_THAT(report, Not(HasSubstr("-1,")));
    EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 6);
  }
}

}  // namespace
}  // namespace tayra
