// The order of accuracy of every scheme on smooth exact solutions in 3D, from pairs of grids.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <ostream>

#include "physics/schemes.hpp"
#include "solver/exact_solutions.hpp"
#include "solver/flow.hpp"

namespace tayra::testing {
namespace {

/// What is run: a smooth flow whose exact solution is known.
struct SmoothFlow {
  std::string problem;
  double end_time;
  std::array<double, 3> shape;  // of the box and its cells
  std::array<int, 2> grids;     // cells along x
  MovingStart exact;
  Keys keys;
};

/// When characteristics of the simple wave, with its usual amplitude and direction, first cross.
const double breaking_time = 2 / ((5. / 3 + 1) * 0.3 * 2 * std::numbers::pi * std::sqrt(3.));

const SmoothFlow entropy_wave{"entropy_wave", 0.1, {1, 1, 1}, {32, 48}, {false, {1, 1, 1}}, {}};
const SmoothFlow acoustic_wave{"acoustic_wave", 0.15, {1, 1, 1}, {32, 48}, {true}, {}};
const SmoothFlow simple_wave{"simple_wave", breaking_time / 4, {1, 1, 1}, {32, 48}, {true}, {}};
const SmoothFlow vortex{
    "vortex", 0.2, {1, 1. / 12, 1}, {72, 96}, {false, {0.25, 0, 0.5}}, {{"axis", text("y")}}};

struct OrderCase {
  std::string scheme;
  const SmoothFlow* flow;
  double least_order;  // of the finest pair of grids
};

std::ostream& operator<<(std::ostream& out, const OrderCase& c) {
  return out << c.scheme << " " << c.flow->problem;
}

/// Mean over cells and sum over variables of |U - U exact|.
double error_of(Flow& flow, const MovingStart& exact, const ProblemSetting& setting) {
  const std::vector<double> state = flow.state();
  const double time = flow.simulation().time();
  const auto [nx, ny, nz] = flow.grid().cells;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const Primitive gas = exact.at(flow.problem(), setting, flow.grid().point(x, y, z), time);
        const auto expected = conserved(gas, setting.gamma);
        for (int v = 0; v < 5; ++v) sum += std::abs(state[flow.place(v, x, y, z)] - expected[v]);
      }
  return sum / (double(nx) * ny * nz);
}

double error_on(const SmoothFlow& smooth, const std::string& scheme, int cells) {
  std::array<int, 3> counts;
  for (int axis = 0; axis < 3; ++axis) counts[axis] = int(std::lround(smooth.shape[axis] * cells));
  const SolverSettings settings = settings_of(smooth.problem, scheme, counts, smooth.shape);
  Flow flow(smooth.problem, settings, smooth.keys);
  flow.run_until(smooth.end_time);
  EXPECT_EQ(flow.course().limited_faces, 0u);
  return error_of(flow, smooth.exact, settings);
}

class OrderSlow : public ::testing::TestWithParam<OrderCase> {};

TEST_P(OrderSlow, IsReachedOnTheFinestPairOfGrids) {
  const auto& [scheme, flow, least_order] = GetParam();
  std::string row = fmt::format("{:14} {:8}", flow->problem, scheme);
  double coarser = 0, order = 0;
  for (std::size_t i = 0; i < flow->grids.size(); ++i) {
    const double error = error_on(*flow, scheme, flow->grids[i]);
    row += fmt::format("  {:3}: {:.3e}", flow->grids[i], error);
    if (i > 0) {
      order = std::log(coarser / error) / std::log(double(flow->grids[i]) / flow->grids[i - 1]);
      row += fmt::format(" order {:.2f}", order);
    }
    coarser = error;
  }
  fmt::print("{}\n", row);
  EXPECT_GE(order, least_order) << "by the order that the scheme claims, and what it may lack of it here";
}

double least_order(const SchemeTraits& traits) {
  return traits.order - std::max(traits.order > 1 ? 0.1 : 0.2, traits.lacks_of_order);
}

std::vector<OrderCase> all_cases() {
  std::vector<OrderCase> cases;
  for (const SmoothFlow* flow : {&entropy_wave, &acoustic_wave, &vortex, &simple_wave})
    for (const NamedScheme& scheme : all_schemes())
      cases.push_back({scheme.name, flow, least_order(scheme.traits)});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, OrderSlow, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.scheme + "_" + one.param.flow->problem; });

}  // namespace
}  // namespace tayra::testing
