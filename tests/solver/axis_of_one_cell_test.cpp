// A flow that does not vary along an axis takes one cell there, and has the bits that it has with four.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/output_fields.hpp"
#include "solver/slab_flow.hpp"
#include "solver/trial.hpp"

namespace tayra::testing {
namespace {

using Axes = std::array<bool, 3>;

/// A flow in space, read at one place of the axes along which it is not to vary; it moves along them, too.
class ExtrudedWaves final : public Problem {
 public:
  ExtrudedWaves(const Axes& varies, bool background) : waves_(Tumult::violent, background), varies_(varies) {}

  Primitive initial(const Point& point) const override {
    Point there = point;
    for (int axis = 0; axis < 3; ++axis)
      if (!varies_[axis]) there.offset[axis] = 0.1;
    return waves_.initial(there);
  }
  Background background(double z) const override { return waves_.background(z); }

 private:
  Waves3d waves_;
  Axes varies_;
};

Axes varying_axes(const Grid& grid) { return {grid.varies_along(0), grid.varies_along(1), true}; }

Trial run(const SolverSettings& settings, const Axes& varies, int steps) {
  return run_trial(settings, ExtrudedWaves(varies, settings.gravity != 0), steps);
}

/// The state of a box with `cells` of a flow whose axes of one cell are wider there.
std::vector<double> widened(const std::vector<double>& state, const Grid& from,
                            const std::array<int, 3>& cells) {
  std::vector<double> wide;
  for (int plane = 0; plane < 5 * cells[2]; ++plane)
    for (int y = 0; y < cells[1]; ++y)
      for (int x = 0; x < cells[0]; ++x)
        wide.push_back(
            state[(std::size_t(plane) * from.cells[1] + std::min(y, from.cells[1] - 1)) * from.cells[0] +
                  std::min(x, from.cells[0] - 1)]);
  return wide;
}

class AxisOfOneCell : public ::testing::TestWithParam<SchemeAndPrecision> {};

// Rows of several packs and tiles, and shorter ones than a pack.
TEST_P(AxisOfOneCell, GivesTheBitsOfFourCellsAlongItForAnyNumberOfSlabs) {
  using enum Boundary;
  const std::array<std::array<int, 3>, 4> grids{{{141, 1, 14}, {6, 1, 17}, {1, 21, 14}, {1, 1, 15}}};
  const std::array kinds{periodic, mirror, outflow};
  std::uint64_t limited = 0;
  for (const auto& cells : grids)
    for (int kind = 0; kind < 3; ++kind) {
      SolverSettings settings =
          trial_settings(GetParam(), cells, {kinds[kind], kinds[kind], kinds[(kind + 1) % 3]});
      settings.fixed_dt = 2e-4;
      const Axes varies = varying_axes(settings.grid);
      SolverSettings wide = settings;
      for (int axis = 0; axis < 2; ++axis)
        if (!varies[axis]) {
          settings.grid.boundary[axis] = wide.grid.boundary[axis] = periodic;
          wide.grid.cells[axis] = 4;
        }
      Trial expected = run(wide, varies, 15);
      const int copies = wide.grid.cell_count() / settings.grid.cell_count();
      for (StepRecord& record : expected.records) record.limited_faces /= copies;
      limited += limited_faces(expected);
      for (const int slabs : {1, 3, 7}) {
        settings.slabs = slabs;
        Trial trial = run(settings, varies, 15);
        trial.state = widened(trial.state, settings.grid, wide.grid.cells);
        expect_same(trial, expected, description(settings));
      }
    }
  EXPECT_GT(limited, 0u) << "the limiter should have been put to the test, too";
}

INSTANTIATE_TEST_SUITE_P(All, AxisOfOneCell, ::testing::ValuesIn(all_schemes_and_precisions()), test_name);

class GasAtRest final : public Problem {
 public:
  Primitive initial(const Point&) const override { return {2, {0, 0, 0}, 1.5}; }
};

TEST(AxisOfOneCellOfAnyLength, HasNoPartInTheLengthOfAStep) {
  for (const std::array<int, 3>& cells : {std::array{9, 1, 6}, std::array{1, 9, 6}, std::array{1, 1, 6}}) {
    SolverSettings settings = trial_settings({"muscl", Precision::double_}, cells, {});
    for (int axis = 0; axis < 2; ++axis)
      if (!settings.grid.varies_along(axis)) settings.grid.upper[axis] = 1e-6;
    const double sound = std::sqrt(settings.gamma * 1.5 / 2);
    double rate = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (settings.grid.varies_along(axis)) rate += sound / settings.grid.spacing(axis);
    const auto simulation = make_simulation(settings, GasAtRest());
    simulation->advance(2, 1e300);
    for (const StepRecord& record : simulation->finish())
      EXPECT_NEAR(record.dt, settings.cfl / rate, 1e-14) << description(settings);
  }
}

/// A GPU's tiles compute fluxes there all the same where x has one cell.
TEST(AxisOfOneCellOfAnyLength, HasTheCellItselfForAllOfAStencil) {
  for (const Boundary kind : {Boundary::periodic, Boundary::mirror, Boundary::outflow}) {
    const Grid grid{.cells = {1, 1, 8}, .boundary = {kind, kind, kind}};
    for (const int axis : {0, 1})
      for (int i = -2; i <= 2; ++i) {
        const Source source = ghost_source(i, 1, row_boundary(grid, axis));
        EXPECT_EQ(source.index, 0) << name_of(kind) << ", " << i;
        EXPECT_FALSE(source.flipped) << name_of(kind) << ", " << i;
      }
  }
}

/// The curl of a linear flow is (dw/dy - dv/dz, du/dz - dw/dx, dv/dx - du/dy).
class LinearFlow final : public Problem {
 public:
  Primitive initial(const Point& point) const override {
    const auto [x, y, z] = point.offset;
    return {1, {2 * z + 11, 3 * x + 5 * z, 7 * x}, 10};
  }
};

TEST(AxisOfOneCellOfAnyLength, HasNoDerivativesAlongIt) {
  const SolverSettings settings = trial_settings({"muscl", Precision::double_}, {5, 1, 6}, {});
  const auto simulation = make_simulation(settings, LinearFlow());
  const auto names = output_field_names();
  const auto vorticity = static_cast<int>(std::find(names.begin(), names.end(), "vorticity") - names.begin());
  const FieldChoice inner{{vorticity}, Precision::double_, {{{1, 3, 1}, {0, 1, 1}, {1, 4, 1}}}};
  std::vector<double> curls(3 * 3 * 4);
  simulation->start_fields(inner, 0, 4, reinterpret_cast<std::byte*>(curls.data())).wait();
  for (std::size_t i = 0; i < curls.size(); i += 3) {
    EXPECT_NEAR(curls[i], -5, 1e-13);
    EXPECT_NEAR(curls[i + 1], 2 - 7, 1e-13);
    EXPECT_NEAR(curls[i + 2], 3, 1e-13);
  }
}

}  // namespace
}  // namespace tayra::testing
