// The exact Riemann solver against Toro's tables and the laws that its waves obey.
#include "physics/exact_riemann.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tayra::testing {
namespace {

struct TabulatedCase {
  RiemannState left, right;
  double pressure, velocity, left_density, right_density;
};

TEST(ExactRiemann, AgreesWithTorosTableOfStarValues) {
  // Toro (2009), tables 4.1 to 4.3, gamma = 1.4; values as printed.
  const TabulatedCase cases[] = {
      {{1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745, 0.42632, 0.26557},
      {{1, -2, 0.4}, {1, 2, 0.4}, 0.00189, 0.00000, 0.02185, 0.02185},
      {{1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975, 0.57506, 5.99924},
      {{1, 0, 0.01}, {1, 0, 100}, 46.0950, -6.19633, 5.99242, 0.57511},
      {{5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.64, 8.68975, 14.2823, 31.0426}};
  for (const TabulatedCase& expected : cases) {
    const ExactRiemann riemann(expected.left, expected.right, 1.4);
    const auto six_digits = [](double value) { return 6e-6 * std::max(1., std::abs(value)); };
    EXPECT_NEAR(riemann.star_pressure(), expected.pressure, six_digits(expected.pressure));
    const double velocity = riemann.left_star_velocity();
    EXPECT_EQ(velocity, riemann.right_star_velocity());
    EXPECT_NEAR(velocity, expected.velocity, six_digits(expected.velocity));
    EXPECT_NEAR(riemann.sample(velocity - 1e-9).density, expected.left_density,
                six_digits(expected.left_density));
    EXPECT_NEAR(riemann.sample(velocity + 1e-9).density, expected.right_density,
                six_digits(expected.right_density));
  }
}

/// Mass, momentum and energy between the speeds a < b, per time: from the fluxes at both, and by integration.
void expect_conservation(const RiemannState& left, const RiemannState& right, double gamma) {
  const ExactRiemann riemann(left, right, gamma);
  const double reach = 60;
  const int samples = 2'000'000;
  double mass = 0, momentum = 0, energy = 0;
  for (int i = 0; i < samples; ++i) {
    const RiemannState gas = riemann.sample(-reach + 2 * reach * (i + 0.5) / samples);
    mass += gas.density;
    momentum += gas.density * gas.velocity;
    energy += gas.pressure / (gamma - 1) + 0.5 * gas.density * gas.velocity * gas.velocity;
  }
  const auto total = [&](double from_left, double from_right, double flux_left, double flux_right) {
    return (reach * (from_left + from_right) + flux_left - flux_right) * samples / (2 * reach);
  };
  const auto energy_of = [&](const RiemannState& gas) {
    return gas.pressure / (gamma - 1) + 0.5 * gas.density * gas.velocity * gas.velocity;
  };
  const auto momentum_of = [](const RiemannState& gas) { return gas.density * gas.velocity; };
  const auto momentum_flux = [](const RiemannState& gas) {
    return gas.density * gas.velocity * gas.velocity + gas.pressure;
  };
  const auto energy_flux = [&](const RiemannState& gas) {
    return gas.velocity * (energy_of(gas) + gas.pressure);
  };
  EXPECT_NEAR(mass / total(left.density, right.density, momentum_of(left), momentum_of(right)), 1, 1e-5);
  EXPECT_NEAR(momentum,
              total(momentum_of(left), momentum_of(right), momentum_flux(left), momentum_flux(right)),
              1e-5 * samples);
  EXPECT_NEAR(energy / total(energy_of(left), energy_of(right), energy_flux(left), energy_flux(right)), 1,
              1e-5);
}

TEST(ExactRiemann, ConservesMassMomentumAndEnergy) {
  expect_conservation({1, 0, 1}, {0.125, 0, 0.1}, 1.4);
  expect_conservation({1, -2, 0.4}, {1, 2, 0.4}, 1.4);
  expect_conservation({1, 0.75, 1}, {2, -1, 3}, 5. / 3);
}

TEST(ExactRiemann, ConservesThemWhereAVacuumOpensOrIsGiven) {
  expect_conservation({1, -10, 0.4}, {1, 10, 0.4}, 1.4);
  expect_conservation({1, 0, 1}, {0, 0, 0}, 1.4);
  expect_conservation({0, 0, 0}, {1, 0.5, 2}, 5. / 3);
}

TEST(ExactRiemann, HasNoGasInsideOfAVacuum) {
  const ExactRiemann riemann({1, -10, 0.4}, {1, 10, 0.4}, 1.4);
  EXPECT_LT(riemann.left_star_velocity(), riemann.right_star_velocity());
  EXPECT_EQ(riemann.sample(0).density, 0);
  EXPECT_EQ(riemann.sample(0).pressure, 0);
  EXPECT_EQ(riemann.star_pressure(), 0);
}

TEST(ExactRiemann, IsMirroredWithItsStates) {
  const RiemannState left{1, 0.3, 1}, right{0.5, -0.2, 4};
  const ExactRiemann riemann(left, right, 1.4);
  const ExactRiemann mirrored({right.density, -right.velocity, right.pressure},
                              {left.density, -left.velocity, left.pressure}, 1.4);
  for (double speed = -5; speed < 5; speed += 0.37) {
    const RiemannState one = riemann.sample(speed), other = mirrored.sample(-speed);
    EXPECT_NEAR(one.density, other.density, 1e-13);
    EXPECT_NEAR(one.velocity, -other.velocity, 1e-13);
    EXPECT_NEAR(one.pressure, other.pressure, 1e-13);
  }
}

TEST(ExactRiemann, LeavesAUniformGasAlone) {
  const RiemannState gas{1.7, 0.3, 2.1};
  const ExactRiemann riemann(gas, gas, 1.4);
  for (double speed = -5; speed < 5; speed += 0.37) {
    EXPECT_NEAR(riemann.sample(speed).density, gas.density, 1e-14);
    EXPECT_NEAR(riemann.sample(speed).velocity, gas.velocity, 1e-14);
    EXPECT_NEAR(riemann.sample(speed).pressure, gas.pressure, 1e-14);
  }
}

}  // namespace
}  // namespace tayra::testing
