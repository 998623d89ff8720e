// The nonlinear weights of weno3.
#include "physics/schemes/weno3.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

/// At the face after b, from its side.
template <class Real>
Real interpolated(Real a, Real b, Real c, Real d) {
  const auto twice = Weno3::twice_the_rise<Real>(b - a, c - b, d - c, Weno3::noise_of<Real>(0, 0));
  return b + twice.dividend / (2 * twice.divisor);
}

template <class Real>
void expect_finite_beside_jumps(double least, double most) {
  for (double size = least; size < most; size *= 10)
    for (const double base : {0., 1., -1e5}) {
      const Real b = Real(base), d = Real(base + size);
      // Waves are taken about the mean of the cells at the face: there even hot gas is near 1, as single
      // needs.
      const Real at = sizeof(Real) == 8 ? d : Real(std::min(size, std::sqrt(most)));
      const Real stencils[][4]{{b, b, b, d}, {b, b, at, at}, {d, b, b, b}, {b, b, b, b}, {d, at, at, d}};
      for (const auto& f : stencils) {
        EXPECT_TRUE(std::isfinite(interpolated<Real>(f[0], f[1], f[2], f[3]))) << base << " " << size;
        for (const auto& u : stencils) {
          const Weno3::WaveDifferences<Real> wave{{f[1] - f[0], f[2] - f[1], f[3] - f[2]},
                                                  {u[1] - u[0], u[2] - u[1], u[3] - u[2]}};
          EXPECT_TRUE(std::isfinite(Weno3::split<Real>(1, Weno3::noise_of<Real>(0, 0), wave)))
              << base << " " << size;
        }
      }
    }
}

TEST(Weno3, StaysFiniteBesideJumpsOfAnySizeInBothPrecisions) {
  expect_finite_beside_jumps<double>(1e-30, 1e32);
  expect_finite_beside_jumps<float>(1e-30, 1e30);
}

TEST(Weno3, IsTheLinearThirdOrderFormulaOnSmoothData) {
  for (const double slope : {-1., 0., 2.}) {
    const auto value = [&](double x) { return 3 + slope * x + 0.5 * x * x; };
    const double face = interpolated<double>(value(-1), value(0), value(1), value(2));
    EXPECT_NEAR(face, (-value(-1) + 5 * value(0) + 2 * value(1)) / 6, 1e-14) << slope;
  }
}

TEST(Weno3, TakesTheSmoothSideOfAJump) {
  EXPECT_NEAR(interpolated<double>(1, 2, 100, 101), 2.5, 0.1);
  EXPECT_NEAR(interpolated<double>(100, 2, 3, 4), 2.5, 0.1);
}

/// A stencil whose units of mass and of speed are that much smaller.
template <class Real>
Stencil<Real> in_units(const Stencil<Real>& s, Real mass, Real speed, const Gas<Real>& gas) {
  const auto cell = [&](const Cell<Real>& c) {
    const State<Real> state{mass * c.state.density, (mass * speed) * c.state.momentum,
                            mass * speed * speed * c.state.energy};
    return make_cell<Real>(state, mass * speed * speed * c.background_pressure, gas);
  };
  return {cell(s.far_left), cell(s.left), cell(s.right), cell(s.far_right)};
}

template <class Real>
void expect_same_flux_in_any_units(double farthest, double tolerance) {
  const Gas<Real> gas(1.4);
  Dice dice(7);
  for (int i = 0; i < 50; ++i) {
    const Stencil<Real> stencil = violent_stencil<Real>(dice, 2, gas);
    const State<Real> here = Weno3::flux<0>(stencil, gas);
    for (const double mass : {1 / farthest, 1., farthest})
      for (const double speed : {1 / farthest, 1., farthest}) {
        const State<Real> there = Weno3::flux<0>(in_units(stencil, Real(mass), Real(speed), gas), gas);
        const double of_density = mass * speed, of_momentum = of_density * speed;
        const auto expect_same = [&](double expected, double found) {
          EXPECT_NEAR(found / expected, 1, tolerance) << mass << " " << speed;
        };
        expect_same(of_density * here.density, there.density);
        expect_same(of_momentum * here.momentum[0], there.momentum[0]);
        expect_same(of_momentum * speed * here.energy, there.energy);
      }
  }
}

TEST(Weno3, LimitsAlikeInAnyUnitsThatThePrecisionHolds) {
  expect_same_flux_in_any_units<double>(0x1p36, 1e-9);
  expect_same_flux_in_any_units<float>(0x1p20, 1e-2);
}

TEST(Weno3, FluxesStayFiniteBesideGasThatIsFarHotterInBothPrecisions) {
  const auto expect_finite = [](auto gas) {
    using Real = decltype(gas.gamma);
    for (double pressure = 1; pressure < 1e17; pressure *= 10) {
      const Cell<Real> cold = cell_of<Real>({1, {}, 1e-3}, 0, gas);
      const Cell<Real> hot = cell_of<Real>({1, {{std::sqrt(pressure), 0, 0}}, pressure}, 0, gas);
      for (const Stencil<Real>& s :
           {Stencil<Real>{hot, cold, cold, cold}, Stencil<Real>{hot, hot, cold, cold},
            Stencil<Real>{hot, hot, hot, cold}, Stencil<Real>{hot, cold, cold, hot}}) {
        const State<Real> flux = Weno3::flux<0>(s, gas);
        EXPECT_TRUE(std::isfinite(flux.density) && std::isfinite(flux.momentum[0]) &&
                    std::isfinite(flux.energy))
            << pressure;
      }
    }
  };
  expect_finite(Gas<float>(1.4));
  expect_finite(Gas<double>(1.4));
}

}  // namespace
}  // namespace tayra::testing
