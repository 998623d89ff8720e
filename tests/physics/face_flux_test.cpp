// What must hold for the face flux of every scheme: consistency, symmetry, no preferred axis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

constexpr double ratio = 1.4;

template <class Real>
constexpr double round_off = 64 * std::numeric_limits<Real>::epsilon();

struct WithoutAName : Upwind3 {
  static constexpr int name = 3;
};
struct WithoutAnOrder : Upwind3 {
  static constexpr SchemeTraits traits{"", 0, 0.1, false, false, false, false};
};
struct OfTwoCells : Upwind3 {
  template <int axis, class N>
  static State<N> flux(const Cell<N>& left, const Cell<N>& right, const Gas<RealOf<N>>& gas);
};
struct WithoutAFluxBetweenFaces : Muscl {
  template <int axis, class N>
  static State<N> flux_between(const Cell<N>& left, const Cell<N>& right, const Gas<RealOf<N>>& gas);
};

TEST(Schemes, AreThoseThatLackNothing) {
  EXPECT_TRUE(Scheme<Upwind3>);
  EXPECT_FALSE(Scheme<WithoutAName>);
  EXPECT_FALSE(Scheme<WithoutAnOrder>);
  EXPECT_FALSE(Scheme<OfTwoCells>);
  EXPECT_FALSE(Scheme<WithoutAFluxBetweenFaces>);
}

/// As words of a list, in which "all" stands for every one.
TEST(Schemes, HaveNamesOfTheirOwn) {
  std::set<std::string> names{"all"};
  for (const NamedScheme& scheme : all_schemes()) {
    EXPECT_TRUE(names.insert(scheme.name).second) << scheme.name;
    EXPECT_THAT(scheme.name, ::testing::MatchesRegex("[a-z][a-z0-9_]*"));
  }
  for (const char* in_configs : {"upwind3", "roe3", "weno3", "muscl"})
    EXPECT_TRUE(names.contains(in_configs)) << in_configs;
}

template <class Scheme>
class FaceFluxOf : public ::testing::Test {};
TYPED_TEST_SUITE(FaceFluxOf, AllSchemes, SchemeName);

TYPED_TEST(FaceFluxOf, AUniformFlowIsTheEulerFlux) {
  on_every_axis_and_precision([]<int axis, class Real>(Axis<axis>, Real) {
    const Gas<Real> gas(ratio);
    Dice dice(1);
    for (int i = 0; i < 200; ++i) {
      const Cell<Real> cell = violent_stencil(dice, 3, gas).left;
      const Stencil<Real> uniform{cell, cell, cell, cell};
      expect_near(once<TypeParam>(TypeParam::template flux<axis>(uniform, gas)), euler_flux<axis>(cell),
                  round_off<Real> * flux_scale(uniform));
    }
  });
}

/// Also true of the limiter's own fluxes.
template <class Scheme, Positivity positivity, int axis, class Real>
void expect_mirrored_flux(const Stencil<Real>& stencil, const Gas<Real>& gas) {
  const auto flux = words(face_flux<Scheme, positivity, axis>(stencil, gas).flux);
  const auto image = words(face_flux<Scheme, positivity, axis>(mirrored(stencil, axis), gas).flux);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(image[i], i == 1 + axis ? flux[i] : -flux[i]) << "part " << i;
}

TYPED_TEST(FaceFluxOf, AMirroredStencilIsMirroredToTheLastBit) {
  on_every_axis_and_precision([]<int axis, class Real>(Axis<axis>, Real) {
    const Gas<Real> gas(ratio);
    Dice dice(2);
    for (int i = 0; i < 500; ++i) {
      expect_mirrored_flux<TypeParam, Positivity::on, axis>(smooth_stencil(dice, 0.1, gas), gas);
      const Stencil<Real> violent = violent_stencil(dice, 3, gas);
      expect_mirrored_flux<TypeParam, Positivity::off, axis>(violent, gas);
      expect_mirrored_flux<TypeParam, Positivity::on, axis>(violent, gas);
    }
  });
}

TYPED_TEST(FaceFluxOf, AWallCarriesNeitherMassNorEnergyNorShear) {
  on_every_axis_and_precision([]<int axis, class Real>(Axis<axis>, Real) {
    const Gas<Real> gas(ratio);
    Dice dice(3);
    for (int i = 0; i < 500; ++i) {
      Stencil<Real> wall = violent_stencil(dice, 3, gas);
      wall.right = mirrored(wall.left, axis);
      wall.far_right = mirrored(wall.far_left, axis);
      const auto flux = words(face_flux<TypeParam, Positivity::on, axis>(wall, gas).flux);
      for (const int part : {0, 1 + (axis + 1) % 3, 1 + (axis + 2) % 3, 4})
        EXPECT_EQ(flux[part], Real(0)) << "part " << part;
    }
  });
}

TYPED_TEST(FaceFluxOf, XAndYTradePlacesToTheLastBit) {
  const auto compare = [](auto real) {
    const Gas<decltype(real)> gas(ratio);
    Dice dice(4);
    for (int i = 0; i < 1000; ++i) {
      const auto stencil = i % 2 ? smooth_stencil(dice, 0.1, gas) : violent_stencil(dice, 3, gas);
      const auto along_x = face_flux<TypeParam, Positivity::on, 0>(stencil, gas).flux;
      const auto along_y = face_flux<TypeParam, Positivity::on, 1>(swapped(stencil, 0, 1), gas).flux;
      EXPECT_EQ(words(swapped(along_x, 0, 1)), words(along_y));
    }
  };
  compare(double());
  compare(float());
}

template <class Real>
Stencil<Real> without_shear(Stencil<Real> s, const Gas<Real>& gas) {
  for (Cell<Real>* cell : {&s.far_left, &s.left, &s.right, &s.far_right}) {
    cell->state.momentum[1] = cell->state.momentum[2] = 0;
    *cell = make_cell(cell->state, cell->background_pressure, gas);
  }
  return s;
}

TYPED_TEST(FaceFluxOf, AFlowAcrossTheFaceIsTheSameAlongEveryAxisToTheLastBit) {
  const auto compare = [](auto real) {
    const Gas<decltype(real)> gas(ratio);
    Dice dice(5);
    for (int i = 0; i < 1000; ++i) {
      const auto stencil = without_shear(smooth_stencil(dice, i % 2 ? 0.01 : 0.4, gas), gas);
      const auto along_x = words(face_flux<TypeParam, Positivity::on, 0>(stencil, gas).flux);
      const auto along_y = face_flux<TypeParam, Positivity::on, 1>(swapped(stencil, 0, 1), gas).flux;
      const auto along_z = face_flux<TypeParam, Positivity::on, 2>(swapped(stencil, 0, 2), gas).flux;
      EXPECT_EQ(words(swapped(along_y, 0, 1)), along_x);
      EXPECT_EQ(words(swapped(along_z, 0, 2)), along_x);
    }
  };
  compare(double());
  compare(float());
}

TYPED_TEST(FaceFluxOf, ZIsLikeXToRoundOff) {
  const Gas<double> gas(ratio);
  Dice dice(6);
  for (int i = 0; i < 1000; ++i) {
    const auto stencil = smooth_stencil(dice, i % 2 ? 0.01 : 0.2, gas);
    const auto along_x = TypeParam::template flux<0>(stencil, gas);
    const auto along_z = TypeParam::template flux<2>(swapped(stencil, 0, 2), gas);
    expect_near(swapped(along_z, 0, 2), along_x, 1e-12 * flux_scale(stencil));
  }
}

/// A wave in all that a cell is.
Primitive smooth_wave(double x) {
  const auto turned = [&](double by) { return std::sin(2 * std::numbers::pi * x + by); };
  return {
      1 + 0.2 * turned(0), {0.3 + 0.1 * turned(1), 0.2 * turned(2), 0.1 * turned(3)}, 1 + 0.1 * turned(4)};
}

/// Mean over a row of cells of what the differences of their fluxes are off the slope of the Euler flux.
template <class Scheme>
double error_of_slopes(int cells) {
  const Gas<double> gas(ratio);
  const double spacing = 1. / cells;
  const auto cell = [&](double i) { return cell_of(smooth_wave(i * spacing), 0.5, gas); };
  const auto flux_above = [&](int i) {
    return once<Scheme>(
        Scheme::template flux<0>(Stencil<double>{cell(i - 1), cell(i), cell(i + 1), cell(i + 2)}, gas));
  };
  const auto euler = [&](double i) { return euler_flux<0>(cell(i)); };
  double sum = 0;
  for (int i = 0; i < cells; ++i) {
    constexpr double near = 0.01;
    const State<double> exact = (1 / (12 * near)) * (8. * (euler(i + near) - euler(i - near)) -
                                                     (euler(i + 2 * near) - euler(i - 2 * near)));
    for (const double word : words((flux_above(i) - flux_above(i - 1)) - exact))
      sum += std::abs(word) / spacing;
  }
  return sum / cells;
}

TYPED_TEST(FaceFluxOf, ChangesAlongSmoothFlowAsTheEulerFluxToTheOrderThatTheSchemeClaims) {
  const double order = std::log2(error_of_slopes<TypeParam>(100) / error_of_slopes<TypeParam>(200));
  EXPECT_GT(order, TypeParam::traits.order - 0.5) << "at extrema limiters take some of it";
}

}  // namespace
}  // namespace tayra::testing
