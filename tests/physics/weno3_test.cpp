// The nonlinear weights of weno3.
#include "physics/schemes/weno3.hpp"

#include <gtest/gtest.h>

namespace tayra::testing {
namespace {

/// At the face after b, from its side.
template <class Real>
Real interpolated(Real a, Real b, Real c, Real d) {
  const auto rough = Weno3::roughness<Real>(a, b, c, d);
  const auto value = Weno3::interpolate<Real>(a, b, c, rough, 1 / rough.shared);
  return value.dividend / value.divisor;
}

template <class Real>
void expect_finite_beside_jumps(double least, double most) {
  for (double size = least; size < most; size *= 10)
    for (const double base : {0., 1., -1e5}) {
      const Real b = Real(base), d = Real(base + size);
      const Real stencils[][4]{{b, b, b, d}, {b, b, d, d}, {d, b, b, b}, {b, b, b, b}};
      for (const auto& s : stencils) {
        EXPECT_TRUE(std::isfinite(interpolated<Real>(s[0], s[1], s[2], s[3]))) << base << " " << size;
        for (const auto& other : stencils)
          EXPECT_TRUE(std::isfinite(Weno3::split<Real>(1, s, other))) << base << " " << size;
      }
    }
}

TEST(Weno3, StaysFiniteBesideJumpsOfAnySizeInBothPrecisions) {
  expect_finite_beside_jumps<double>(1e-30, 1e30);
  expect_finite_beside_jumps<float>(1e-30, 1e30);
}

template <class Real>
void expect_same_face_in_any_units(double least, double most) {
  const Real stencils[][4]{{1, 2, 100, 101}, {100, 2, 3, 4}, {1, 1, 3, 3}, {2, 3, 5, 8}};
  for (const auto& s : stencils) {
    const double face = interpolated<Real>(s[0], s[1], s[2], s[3]);
    for (double unit = least; unit < most; unit *= 10) {
      const Real u = Real(unit);
      const double there = interpolated<Real>(u * s[0], u * s[1], u * s[2], u * s[3]);
      EXPECT_NEAR(there / unit, face, 1e-4 * face) << unit;
    }
  }
}

TEST(Weno3, LimitsAlikeInAnyUnitsThatThePrecisionHolds) {
  expect_same_face_in_any_units<double>(1e-30, 1e30);
  expect_same_face_in_any_units<float>(1e-15, 1e15);
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

}  // namespace
}  // namespace tayra::testing
