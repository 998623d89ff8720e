// Gravity's source, and a column at rest against it.
#include "physics/gravity.hpp"

#include <gtest/gtest.h>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

TEST(Gravity, PullsAtTheDensityThatTheBackgroundLacksAndWorksThroughTheMassFlux) {
  const double density = 3, background = 2, below = 0.5, above = 0.25, g = -8, height = 0.125;
  const State<double> fluxes{1, {{2, 3, 4}}, 5};
  const auto sum =
      with_gravity<12>(fluxes, density, background, below, above, ColumnGravity<double>(g, height));
  EXPECT_EQ(sum.density, fluxes.density);
  EXPECT_EQ(sum.momentum[0], fluxes.momentum[0]);
  EXPECT_EQ(sum.momentum[1], fluxes.momentum[1]);
  EXPECT_EQ(sum.momentum[2], fluxes.momentum[2] + 12 * height * g * (density - background));
  EXPECT_EQ(sum.energy, fluxes.energy + height * g * 0.5 * (below + above))
      << "their mass fluxes are multiples already";
}

TEST(Gravity, DoesNothingToTheBackgroundAtRest) {
  const auto sum = with_gravity<12>(State<float>{}, 2.f, 2.f, 0.f, 0.f, ColumnGravity<float>(-8, 0.1));
  EXPECT_EQ(words(sum), (std::array<float, 5>{}));
}

template <class Scheme>
class RestingFaceOf : public ::testing::Test {};
TYPED_TEST_SUITE(RestingFaceOf, SchemesThatKeepContacts, SchemeName);

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
      EXPECT_FALSE(face.flagged);
    }
  };
  check(double());
  check(float());
}

}  // namespace
}  // namespace tayra::testing
