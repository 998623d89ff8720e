// Richtmyer-Meshkov flow: the frame in which the shocked interface rests, and linear growth against
// Richtmyer's impulsive model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "solver/cell_sums.hpp"
#include "solver/flow.hpp"

namespace tayra::testing {
namespace {

constexpr double sound = 1.2909944487358056;  // sqrt(gamma p / density) of what the shock runs into

struct Interface {
  double density_above;
  double mach;
};

SolverSettings settings_of_shock(std::array<int, 3> cells, Vec3 upper) {
  SolverSettings settings = settings_of("rm_multi", "muscl", cells, upper);
  settings.scalars = {"fraction"};
  return settings;
}

/// The part of the interface's height that varies as exp(-i count 2 pi x / L), from the volume below it in
/// each column, which mixing does not change.
std::complex<double> wave_of_height(Flow& flow, int count, double density_above) {
  const Grid& grid = flow.grid();
  const std::vector<double> state = flow.state();
  const double ratio = std::max(density_above, 1 / density_above);
  std::complex<double> sum{};
  for (int z = 0; z < grid.cells[2]; ++z)
    for (int x = 0; x < grid.cells[0]; ++x) {
      const double heavy = heavy_volume(state[flow.place(5, x, 0, z)], ratio);
      sum += (density_above > 1 ? 1 - heavy : heavy) *
             std::polar(1., count * 2 * std::numbers::pi * grid.offset(0, x) / grid.length(0));
    }
  return sum * grid.spacing(2) / double(grid.cells[0]);
}

// From light to heavy and back: both waves have left through the ends by the time of the second height.
TEST(RichtmyerMeshkov, LeavesTheShockedInterfaceAtRest) {
  for (const Interface& one : {Interface{3, 1.3}, {3, 3}, {1. / 3, 1.8}, {0.1, 1.2}}) {
    Flow flow("rm_multi", settings_of_shock({4, 1, 200}, {0.02, 1, 1}),
              {{"mach", one.mach},
               {"density_above", one.density_above},
               {"interface", 0.5},
               {"amplitude", 0.},
               {"modes", whole({1, 1})}});
    const auto height = [&] { return wave_of_height(flow, 0, one.density_above).real(); };
    const double start = height(), met = 0.05 / (one.mach * sound);
    flow.run_until(4 * met);
    const double early = height();
    flow.run_until(4 * met + 1);
    const double share = (height() - early) / (start - early);
    fmt::print(
        "density ratio {:.2f}, Mach {}: fell by {:.4f} to meet the shock, then by {:+.4f} times that\n",
        one.density_above, one.mach, start - early, share);
    EXPECT_NEAR(early, flow.problem().layers()->interface_height, 1e-3);
    EXPECT_LT(std::abs(height() - early), 0.01 * (start - early) / met) << "in a time of 1";
    EXPECT_TRUE(flow.course().stayed_a_gas);
  }
}

}  // namespace
}  // namespace tayra::testing
