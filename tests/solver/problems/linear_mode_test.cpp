// The linear eigenmode against its limits and against the equations that it solves.
#include "solver/problems/linear_mode.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

#include "core/error.hpp"

namespace tayra {
namespace {

constexpr double pi = std::numbers::pi;

constexpr std::array stratifications{0., 3. / 5, 1.};  // constant density, entropy, temperature

LinearProblem layers_of(double atwood, double thickness, double pressure, double wavenumber,
                        double stratification = 0) {
  return {.layers = {.density_below = (1 - atwood) / (1 + atwood),
                     .density_above = 1,
                     .interface_height = 0.5,
                     .thickness = thickness,
                     .cell_height = 0,
                     .interface_pressure = pressure,
                     .gravity = -1,
                     .stratification = stratification},
          .gamma = 5. / 3,
          .lower = 0,
          .upper = 1,
          .wavenumber = wavenumber};
}

TEST(LinearMode, GrowsAsTheClassicalFormulaSaysWhenSharpAndIncompressible) {
  // sigma^2 = A g k tanh(k H) between walls at a distance H from the interface; thickness d costs about k d.
  for (const double atwood : {0.1, 0.5, 0.98})
    for (const double waves : {0.3, 1., 4.}) {
      const double k = 2 * pi * waves;
      const double classical = std::sqrt(atwood * k * std::tanh(0.5 * k));
      const double rate = fastest_mode(layers_of(atwood, 1e-6, 1e7, k)).growth_rate();
      EXPECT_NEAR(rate / classical, 1, 1e-4) << atwood << " " << waves;
    }
}

TEST(LinearMode, GrowsMoreSlowlyTheThickerTheInterfaceIs) {
  const double k = 4 * pi;
  const double sharp = fastest_mode(layers_of(0.5, 1e-4, 10, k)).growth_rate();
  const double smooth = fastest_mode(layers_of(0.5, 0.02, 10, k)).growth_rate();
  const double smoother = fastest_mode(layers_of(0.5, 0.05, 10, k)).growth_rate();
  EXPECT_GT(sharp, smooth);
  EXPECT_GT(smooth, smoother);
}

TEST(LinearMode, IsTheSameUpsideDown) {
  LinearProblem down = layers_of(0.6, 0.03, 5, 9);
  LinearProblem up = down;
  std::swap(up.layers.density_below, up.layers.density_above);
  up.layers.gravity = 1;
  EXPECT_NEAR(fastest_mode(up).growth_rate() / fastest_mode(down).growth_rate(), 1, 1e-12);
}

TEST(LinearMode, DoesNotOverflowForShortWavesInATallBox) {
  LinearProblem problem = layers_of(0.5, 1e-4, 100, 2 * pi * 100);
  problem.upper = 4;
  problem.lower = -4;
  const LinearMode mode = fastest_mode(problem);
  EXPECT_NEAR(mode.growth_rate() / std::sqrt(0.5 * problem.wavenumber), 1, 0.1);
  EXPECT_TRUE(std::isfinite(mode.at(-4).pressure));
  EXPECT_TRUE(std::isfinite(mode.at(3.9).horizontal));
}

TEST(LinearMode, StopsAtTheWallsAndRaisesTheInterfaceByOne) {
  const LinearMode mode = fastest_mode(layers_of(0.5, 0.05, 10, 2 * pi));
  EXPECT_EQ(mode.at(0).w, 0);
  EXPECT_EQ(mode.at(1).w, 0);
  EXPECT_NEAR(mode.at(0.5).w, mode.growth_rate(), 1e-14);
}

struct Residuals {
  double mass, horizontal, vertical, energy;
};

/// Of the linearised equations for exp(s t) at one height, each relative to its largest term.
Residuals residuals(const LinearProblem& problem, const LinearMode& mode, double z) {
  const auto slope = [&](auto value) {
    const double h = 2e-3 * problem.layers.thickness;
    return (8 * (value(z + h) - value(z - h)) - (value(z + 2 * h) - value(z - 2 * h))) / (12 * h);
  };
  const VerticalMode here = mode.at(z);
  const double s = mode.growth_rate(), k = problem.wavenumber, g = problem.layers.gravity;
  const double density = problem.layers.density(z), pressure = problem.layers.pressure(z);
  const double divergence = k * here.horizontal + slope([&](double at) { return mode.at(at).w; });
  const double mass_flux = density * k * here.horizontal +
                           slope([&](double at) { return problem.layers.density(at) * mode.at(at).w; });
  const double pressure_slope = slope([&](double at) { return mode.at(at).pressure; });
  return {s * here.density + mass_flux, s * density * here.horizontal - k * here.pressure,
          s * density * here.w + pressure_slope - g * here.density,
          s * here.pressure + g * density * here.w + problem.gamma * pressure * divergence};
}

TEST(LinearMode, SolvesTheLinearisedEulerEquations) {
  for (const double atwood : {0.3, 0.9})
    for (const double pressure : {1.5, 20.})
      for (const double waves : {1., 5.})
        for (const double stratification : stratifications) {
          const LinearProblem problem = layers_of(atwood, 0.05, pressure, 2 * pi * waves, stratification);
          const LinearMode mode = fastest_mode(problem);
          const double scale = mode.growth_rate() * mode.growth_rate();
          for (double z = 0.03; z < 0.98; z += 0.021) {
            const Residuals r = residuals(problem, mode, z);
            EXPECT_NEAR(r.mass / scale, 0, 2e-6) << z;
            EXPECT_NEAR(r.horizontal / scale, 0, 1e-12) << z;
            EXPECT_NEAR(r.vertical / scale, 0, 2e-6) << z;
            EXPECT_NEAR(r.energy / scale / pressure, 0, 2e-6) << z;
          }
        }
}

// Chebyshev collocation on a column whose pressure was found step by step: layers_of() and growth_rate() of
// validation/references/rayleigh_taylor.py, whose tests hold the same numbers.
TEST(LinearMode, GrowsInEachProfileAsAnIndependentSolverFinds) {
  for (const auto& [stratification, pressure, rate] : {std::tuple{0., 1.2, 1.24715360},
                                                       {1., 1.2, 1.07156002},
                                                       {3. / 5, 1.2, 1.14131146},
                                                       {0., 10., 1.15867235},
                                                       {1., 10., 1.13764194},
                                                       {3. / 5, 10., 1.14605718}}) {
    LinearProblem problem = layers_of(1. / 3, 0.1, pressure, 2 * pi, stratification);
    problem.lower = -0.25;
    problem.upper = 1.25;
    EXPECT_NEAR(fastest_mode(problem).growth_rate(), rate, 1e-7) << stratification << " " << pressure;
  }
}

TEST(LinearMode, ReportsThatAStableColumnDoesNotGrow) {
  LinearProblem problem = layers_of(0.5, 0.2, 1000, 2 * pi);
  problem.layers.gravity = -1e-9;
  std::swap(problem.layers.density_below, problem.layers.density_above);
  EXPECT_THROW(fastest_mode(problem), Error);
}

}  // namespace
}  // namespace tayra
