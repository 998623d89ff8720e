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

// Multiples of powers of two, so that nothing rounds.
TEST(Gravity, ThatIsNoLongerTheBackgroundsPullsAtTheWholeDensityAgainstTheBackgroundsWeight) {
  const double density = 3, background = 2, below = 0.5, above = 0.25, height = 0.125;
  for (const double at_rest : {-8., 4.})
    for (const double now : {-8., -2., 0., 16.}) {
      const auto sum = with_gravity<4>(State<double>{}, density, background, below, above,
                                       ColumnGravity<double>(at_rest, now, height));
      EXPECT_EQ(sum.momentum[2], 4 * height * (now * density - at_rest * background))
          << at_rest << " " << now;
      EXPECT_EQ(sum.energy, height * now * 0.5 * (below + above));
    }
  const auto sum =
      with_gravity<4>(State<double>{}, density, 0., below, above, ColumnGravity<double>(0, -2, height));
  EXPECT_EQ(sum.momentum[2], 4 * height * -2 * density) << "without a background";
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
