// The positivity limiter leaves smooth flow alone and keeps both cells of any face a gas.
#include "physics/positivity.hpp"

#include <gtest/gtest.h>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

constexpr double ratio = 1.4;

template <class Scheme>
class LimiterOf : public ::testing::Test {};
TYPED_TEST_SUITE(LimiterOf, AllSchemes, SchemeName);

TYPED_TEST(LimiterOf, ChangesNoBitOfSmoothFlow) {
  on_every_axis_and_precision([]<int axis, class Real>(Axis<axis>, Real) {
    const Gas<Real> gas(ratio);
    Dice dice(10);
    for (int i = 0; i < 500; ++i) {
      const Stencil<Real> smooth = smooth_stencil(dice, 0.05, gas);
      const FaceFlux<Real> face = face_flux<TypeParam, Positivity::on, axis>(smooth, gas);
      EXPECT_FALSE(face.flagged);
      EXPECT_EQ(words(face.flux), words(TypeParam::template flux<axis>(smooth, gas)));
    }
  });
}

/// What the face leaves of a cell: alpha U - F on its left, alpha U + F on its right, background included.
/// Worked out in double, and apart from the code under test.
struct Share {
  double density;
  double internal_energy;
};

template <int axis, class Real>
Share share_of(const Cell<Real>& cell, double sign, const State<Real>& flux, const Stencil<Real>& s,
               const Gas<Real>& gas) {
  const double alpha = face_speed<axis>(s);
  const auto u = words(cell.state), f = words(flux);
  std::array<double, 5> share;
  for (int i = 0; i < 5; ++i) share[i] = alpha * u[i] + sign * f[i];
  share[1 + axis] += sign * face_background(s.left, s.right);
  share[4] += alpha * cell.background_pressure * gas.inverse_gamma_minus_1;
  const double momentum_squared = share[1] * share[1] + share[2] * share[2] + share[3] * share[3];
  return {share[0], share[4] - 0.5 * momentum_squared / share[0]};
}

template <int axis, class Real>
bool keeps_a_gas(const State<Real>& flux, const Stencil<Real>& s, const Gas<Real>& gas) {
  const Share left = share_of<axis>(s.left, -1, flux, s, gas),
              right = share_of<axis>(s.right, 1, flux, s, gas);
  return left.density > 0 && right.density > 0 && left.internal_energy > 0 && right.internal_energy > 0;
}

TYPED_TEST(LimiterOf, KeepsBothCellsOfAViolentFaceAGas) {
  on_every_axis_and_precision([]<int axis, class Real>(Axis<axis>, Real) {
    const Gas<Real> gas(ratio);
    const double fastest =
        sizeof(Real) == 4 ? 2 : 10;  // round-off of the energy hides the heat of faster ones
    Dice dice(11);
    int saved = 0;
    for (int i = 0; i < 5000; ++i) {
      const Stencil<Real> s = violent_stencil(dice, fastest, gas);
      ASSERT_TRUE(keeps_a_gas<axis>(first_order_flux<axis>(s.left, s.right, face_speed<axis>(s)), s, gas));
      const FaceFlux<Real> face = face_flux<TypeParam, Positivity::on, axis>(s, gas);
      EXPECT_TRUE(keeps_a_gas<axis>(once<TypeParam>(face.flux), s, gas)) << "stencil " << i;
      saved += !keeps_a_gas<axis>(once<TypeParam>(TypeParam::template flux<axis>(s, gas)), s, gas);
    }
    EXPECT_GT(saved, 50) << "the stencils are too tame to show anything";
  });
}

TEST(FirstOrderFlux, OfAUniformFlowIsTheEulerFlux) {
  const Gas<double> gas(ratio);
  Dice dice(12);
  const Cell<double> cell = smooth_stencil(dice, 0, gas).left;
  const Stencil<double> uniform{cell, cell, cell, cell};
  expect_near(first_order_flux<1>(cell, cell, face_speed<1>(uniform)), euler_flux<1>(cell), 1e-14);
}

}  // namespace
}  // namespace tayra::testing
