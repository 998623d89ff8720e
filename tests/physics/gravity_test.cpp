// Gravity's source, and a column at rest against it.
#include "physics/gravity.hpp"

#include <gtest/gtest.h>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

TEST(Gravity, PullsAtTheDensityThatTheBackgroundLacksAndWorksThroughTheMassFlux) {
  const double density = 3, background = 2, below = 0.5, above = 0.25, g = -8;
  const auto source = gravity_source<double>(density, background, below, above, g);
  EXPECT_EQ(source.momentum, g * (density - background));
  EXPECT_EQ(source.energy, g * 0.5 * (below + above));
}

TEST(Gravity, DoesNothingToTheBackgroundAtRest) {
  const auto source = gravity_source<float>(2, 2, 0, 0, -8);
  EXPECT_EQ(source.momentum, 0);
  EXPECT_EQ(source.energy, 0);
}

template <class Scheme>
class RestingFaceOf : public ::testing::Test {};
using KeepContacts = ::testing::Types<Roe3, Weno3, Muscl>;
TYPED_TEST_SUITE(RestingFaceOf, KeepContacts, SchemeName);

/// Pressures of the background, densities of whatever fluid lies there.
template <class Real>
Stencil<Real> resting_stencil(Dice& dice, const Gas<Real>& gas) {
  const auto cell = [&](double height) {
    const double pressure = 2 - height;
    return cell_of(Primitive{dice.between_powers(1e-2, 1e2), {0, 0, 0}, pressure}, pressure, gas);
  };
  return {cell(0), cell(0.1), cell(0.2), cell(0.3)};
}

TYPED_TEST(RestingFaceOf, AnyDensitiesOnTheBackgroundsPressureCarriesNothingAtAll) {
  const auto check = [](auto real) {
    using Real = decltype(real);
    const Gas<Real> gas(5. / 3);
    Dice dice(13);
    for (int i = 0; i < 500; ++i) {
      const auto face = face_flux<TypeParam, Positivity::on, 2>(resting_stencil<Real>(dice, gas), gas);
      EXPECT_EQ(words(face.flux), (std::array<Real, 5>{}));
      EXPECT_FALSE(face.suspect);
    }
  };
  check(double());
  check(float());
}

}  // namespace
}  // namespace tayra::testing
