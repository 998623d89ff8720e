// The nonlinear weights of weno3.
#include "physics/schemes/weno3.hpp"

#include <gtest/gtest.h>

namespace tayra::testing {
namespace {

template <class Real>
void expect_finite_beside_jumps() {
  for (double size = 1e-10; size < 1e10; size *= 10)
    for (const double base : {0., 1., -1e5}) {
      const Real b = Real(base), d = Real(base + size);
      EXPECT_TRUE(std::isfinite(Weno3::interpolate<Real>(b, b, b, d))) << base << " " << size;
      EXPECT_TRUE(std::isfinite(Weno3::interpolate<Real>(b, b, d, d))) << base << " " << size;
      EXPECT_TRUE(std::isfinite(Weno3::interpolate<Real>(d, b, b, b))) << base << " " << size;
    }
}

TEST(Weno3, StaysFiniteBesideJumpsOfAnySizeInBothPrecisions) {
  expect_finite_beside_jumps<double>();
  expect_finite_beside_jumps<float>();
}

TEST(Weno3, IsTheLinearThirdOrderFormulaOnSmoothData) {
  for (const double slope : {-1., 0., 2.}) {
    const auto value = [&](double x) { return 3 + slope * x + 0.5 * x * x; };
    const double face = Weno3::interpolate<double>(value(-1), value(0), value(1), value(2));
    EXPECT_NEAR(face, (-value(-1) + 5 * value(0) + 2 * value(1)) / 6, 1e-14) << slope;
  }
}

TEST(Weno3, TakesTheSmoothSideOfAJump) {
  EXPECT_NEAR(Weno3::interpolate<double>(1, 2, 100, 101), 2.5, 0.1);
  EXPECT_NEAR(Weno3::interpolate<double>(100, 2, 3, 4), 2.5, 0.1);
}

}  // namespace
}  // namespace tayra::testing
