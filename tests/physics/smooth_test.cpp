// Smooth flow: no face of it may want the positivity limiter, since sweeps do not even ask there.
#include "physics/smooth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "physics/stencils.hpp"

namespace tayra::testing {
namespace {

using Bounds = SmoothBounds<double>;

double from_leading_bits(double bits) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << 32);
}

/// Four cells around a face, given by numbers from 0 to 1: all that is smooth, if `liveliness` is 1.
struct SmoothFace {
  static constexpr int of_cell = 5;
  std::array<double, 4 * of_cell + 6> numbers;

  Stencil<double> stencil(const Gas<double>& gas, bool has_background, double liveliness) const {
    const double* shared = numbers.data() + 4 * of_cell;
    const double one = leading_bits(1.);
    std::array<double, 4> background{from_leading_bits(one + shared[0] * octave<double>)};
    for (int i = 1; i < 4; ++i)
      background[i] = background[i - 1] / (1 - (2 * shared[i] - 1) * Bounds::most_background_change);
    const double furthest = Bounds::furthest_from_background, pressures = Bounds::pressures;
    const double over_background = (2 * furthest - pressures) * shared[4] - furthest;
    std::array<Cell<double>, 4> cells;
    for (int i = 0; i < 4; ++i) {
      const double* own = numbers.data() + i * of_cell;
      const double density = from_leading_bits(one + shared[5] * octave<double> + own[0] * Bounds::densities);
      const double level =
          has_background ? leading_bits(background[i]) + over_background : leading_bits(background[0]);
      const double pressure_bits = level + own[1] * pressures;
      const double motion = from_leading_bits(pressure_bits - Bounds::motion_below_pressure);
      const Vec3 direction{2 * own[2] - 1, 2 * own[3] - 1, 2 * own[4] - 1};
      const double speed = liveliness * std::sqrt(motion / density) /
                           std::max(1., std::hypot(direction[0], direction[1], direction[2]));
      cells[i] =
          cell_of<double>({.density = density,
                           .velocity = {speed * direction[0], speed * direction[1], speed * direction[2]},
                           .pressure = from_leading_bits(pressure_bits)},
                          has_background ? background[i] : 0, gas);
    }
    return {cells[0], cells[1], cells[2], cells[3]};
  }
};

/// What is left of both cells once a face has taken its share, as a fraction of the most that could be; zero
/// is where the limiter begins to work.
template <int axis, class Scheme>
double least_left(const Stencil<double>& s, const Gas<double>& gas) {
  const State<double> flux = (1. / Scheme::flux_multiple) * Scheme::template flux<axis>(s, gas);
  const double alpha = face_speed<axis>(s);
  const auto left_of = [&](const Cell<double>& cell, const State<double>& share) {
    const double energy = gas.inverse_gamma_minus_1 * (cell.pressure + cell.background_pressure);
    const double density = share.density / (alpha * cell.state.density);
    const double measure = energy_measure(share) / (alpha * alpha * cell.state.density * energy);
    return density < 0 ? density : std::min(density, measure);
  };
  return std::min(
      left_of(s.left, face_share<axis, Side::left>(s.left, alpha, flux, face_background(s.left, s.right))),
      left_of(s.right,
              face_share<axis, Side::right>(s.right, alpha, flux, face_background(s.left, s.right))));
}

/// The least that a search finds: the worst of many faces, changed a little again and again.
template <class Scheme>
double worst_of_smooth(double gamma, bool has_background, double liveliness) {
  constexpr int faces = 6000, kept = 300, rounds = 40;
  const Gas<double> gas(gamma);
  Dice dice(7);
  const auto happens = [&](double share) { return dice.between(0, 1) < share; };
  const auto extreme = [&] { return happens(0.5) ? 1. : 0.; };
  std::vector<SmoothFace> population(faces);
  for (SmoothFace& face : population)
    for (double& number : face.numbers) number = happens(0.7) ? extreme() : dice.between(0, 1);
  std::vector<double> left(faces);
  std::vector<int> order(faces);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < faces; ++i)
      left[i] = least_left<2, Scheme>(population[i].stencil(gas, has_background, liveliness), gas);
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                      [&](int a, int b) { return left[a] < left[b]; });
    std::vector<SmoothFace> next(faces);
    for (int i = 0; i < faces; ++i) {
      next[i] = population[order[i % kept]];
      if (i < kept) continue;
      for (double& number : next[i].numbers)
        if (happens(0.2))
          number = happens(0.4) ? extreme() : std::clamp(number + dice.between(-0.2, 0.2), 0., 1.);
    }
    population = std::move(next);
  }
  return left[order[0]];
}

template <class Scheme>
class SmoothFlow : public ::testing::Test {};
TYPED_TEST_SUITE(SmoothFlow, AllSchemes, SchemeName);

constexpr const char* what_follows =
    ": so much is left of a cell beside a face of smooth flow. Below 0 the limiter would have to act there, "
    "but sweeps never check such faces: the scheme must damp more, or the bounds in physics/smooth.hpp must "
    "become tighter, for all schemes (docs/decisions/0010)";

TYPED_TEST(SmoothFlow, HasNoFaceThatWantsTheLimiter) {
  for (const double gamma : {1.001, 1.05, 1.4, Bounds::greatest_gamma})
    for (const bool has_background : {false, true})
      EXPECT_GT(worst_of_smooth<TypeParam>(gamma, has_background, 1), 0.05)
          << "gamma " << gamma << (has_background ? ", with" : ", without") << " a background"
          << what_follows;
}

TYPED_TEST(SmoothFlow, HasSuchFacesWhereItMovesTwiceAsFastUnlessTheSchemeNeverWantsIt) {
  if (TypeParam::traits.wants_limiter) {
    EXPECT_LT(worst_of_smooth<TypeParam>(Bounds::greatest_gamma, true, 2), 0)
        << "a search that finds nothing says nothing, unless wants_limiter is false";
  } else {
    EXPECT_GT(worst_of_smooth<TypeParam>(Bounds::greatest_gamma, false, 2), 0) << "wants_limiter is false";
  }
}

template <class Real>
class BoundsOfSmoothFlow : public ::testing::Test {
 protected:
  static bool hold(const Primitive& middle, const Primitive& p, double gamma = 1.4, double background = 0) {
    const Gas<Real> gas{gamma};
    SmoothBounds<Real> bounds;
    bounds.surround(SmoothBounds<Real>::spread_of(cell_of(middle, background, gas)), {}, background > 0, gas);
    return bounds.alarm(cell_of(p, background, gas).state, Real(background), gas) >= 0;
  }
};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BoundsOfSmoothFlow, Precisions);

TYPED_TEST(BoundsOfSmoothFlow, HoldWhatIsNearAndSlow) {
  const Primitive middle{1, {0.2, 0.1, -0.1}, 1};
  for (const Primitive& near : {middle, Primitive{0.6, {}, 1}, Primitive{1.9, {}, 1}, Primitive{1, {}, 0.95},
                                Primitive{1, {}, 1.1}, Primitive{1, {0.4, 0, 0}, 1}}) {
    EXPECT_TRUE(this->hold(middle, near)) << near.density << ' ' << near.pressure;
    EXPECT_TRUE(this->hold(middle, near, 1.4, 0.8)) << near.density << ' ' << near.pressure;
  }
}

TYPED_TEST(BoundsOfSmoothFlow, HoldNothingElse) {
  const Primitive middle{1, {}, 1};
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  for (const Primitive& far :
       {Primitive{0.45, {}, 1}, Primitive{2.1, {}, 1}, Primitive{1, {}, 0.85}, Primitive{1, {}, 1.2},
        Primitive{1, {0, 0.45, 0}, 1}, Primitive{-1, {}, 1}, Primitive{1, {}, -1},
        Primitive{no_number, {}, 1}, Primitive{1, {}, no_number}, Primitive{1, {no_number, 0, 0}, 1}})
    EXPECT_FALSE(this->hold(middle, far)) << far.density << ' ' << far.velocity[1] << ' ' << far.pressure;
  EXPECT_FALSE(this->hold(middle, middle, 1.8)) << "too great a gamma";
  EXPECT_FALSE(this->hold(middle, middle, 1.4, 0.5)) << "far from the background";
}

TYPED_TEST(BoundsOfSmoothFlow, AskForABackgroundThatHardlyChanges) {
  using Real = TypeParam;
  EXPECT_GE(SmoothBounds<Real>::alarm(Real(1), Real(1.03)), 0);
  EXPECT_GE(SmoothBounds<Real>::alarm(Real(0), Real(0)), 0);
  EXPECT_LT(SmoothBounds<Real>::alarm(Real(1), Real(1.04)), 0);
  EXPECT_LT(SmoothBounds<Real>::alarm(Real(1.04), Real(1)), 0);
}

TYPED_TEST(BoundsOfSmoothFlow, ReachOverBothLayersWhereTheBackgroundSaysSo) {
  using Real = TypeParam;
  const Gas<Real> gas{1.4};
  const Cell<Real> light = cell_of(Primitive{1, {}, 1}, 0, gas), heavy = cell_of(Primitive{3, {}, 1}, 0, gas);
  SmoothSpread background;
  background.include_density(leading_bits(Real(1)), leading_bits(Real(3)));
  SmoothBounds<Real> bounds;
  bounds.surround(SmoothBounds<Real>::spread_of(light), background, false, gas);
  EXPECT_GE(bounds.alarm(light.state, Real(0), gas), 0);
  EXPECT_GE(bounds.alarm(heavy.state, Real(0), gas), 0);
}

TYPED_TEST(BoundsOfSmoothFlow, HoldCellsTogetherWhereTheyHoldEach) {
  using Real = TypeParam;
  const Gas<Real> gas{1.4};
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  Dice dice(5);
  int within = 0;
  constexpr int trials = 20'000;
  for (int trial = 0; trial < trials; ++trial) {
    const double background = trial % 2 == 0 ? 0 : dice.between(0.8, 1.2);
    SmoothBounds<Real> bounds;
    bounds.surround(SmoothBounds<Real>::spread_of(cell_of(Primitive{1, {}, 1}, background, gas)), {},
                    background > 0, gas);
    SmoothSpread together;
    int fast = 0, outside = 0;
    for (int i = 0; i < 3; ++i) {
      Primitive p{dice.between(0.4, 2.2), {dice.between(0, 0.3), 0, 0}, dice.between(0.88, 1.15)};
      if (dice.between(0, 1) < 0.05) p.pressure = dice.between(0, 1) < 0.5 ? no_number : -1;
      if (dice.between(0, 1) < 0.05) p.density = dice.between(0, 1) < 0.5 ? no_number : -1;
      const State<Real> state = cell_of(p, background, gas).state;
      fast |= SmoothBounds<Real>::gather(state, Real(background), gas, together);
      outside |= bounds.alarm(state, Real(background), gas);
    }
    ASSERT_EQ((bounds.alarm(together) | fast) < 0, outside < 0) << "trial " << trial;
    within += outside >= 0;
  }
  EXPECT_GT(within, trials / 20);
  EXPECT_LT(within, trials / 2);
}

/// Of cells that a CPU's sweep has seen before it computes their faces.
template <class Real>
class SeenCells : public ::testing::Test {
 protected:
  static bool are_smooth(const std::vector<Primitive>& gas, double gamma = 1.4, double background = 0) {
    const Gas<Real> of(gamma);
    CellsSeen<Real> seen;
    for (const Primitive& p : gas)
      seen.include(cell_of(p, background, of), Real(background > 0 ? 1 / background : 1));
    return tayra::are_smooth(seen, background > 0, of);
  }
};
TYPED_TEST_SUITE(SeenCells, Precisions);

TYPED_TEST(SeenCells, AreSmoothWhereTheyAreAlikeAndSlow) {
  const Primitive one{1, {0.2, 0.1, -0.1}, 1};
  for (const Primitive& near :
       {one, Primitive{0.3, {}, 1}, Primitive{3.9, {}, 1}, Primitive{1, {}, 0.92}, Primitive{1, {}, 1.09}}) {
    EXPECT_TRUE(this->are_smooth({one, near})) << near.density << ' ' << near.pressure;
    EXPECT_TRUE(this->are_smooth({one, near}, 1.4, 0.85)) << near.density << ' ' << near.pressure;
  }
}

TYPED_TEST(SeenCells, AreNotWhereAnyIsFarOrFastOrNoGas) {
  const Primitive one{1, {}, 1};
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  for (const Primitive& far :
       {Primitive{0.24, {}, 1}, Primitive{4.1, {}, 1}, Primitive{1, {}, 0.87}, Primitive{1, {}, 1.15},
        Primitive{1, {0, 0.42, 0}, 1}, Primitive{-1, {}, 1}, Primitive{1, {}, -1},
        Primitive{no_number, {}, 1}, Primitive{1, {}, no_number}, Primitive{1, {no_number, 0, 0}, 1}})
    for (const std::vector<Primitive>& gas : {std::vector{one, far, one}, std::vector{far, one}}) {
      EXPECT_FALSE(this->are_smooth(gas)) << far.density << ' ' << far.velocity[1] << ' ' << far.pressure;
    }
  EXPECT_FALSE(this->are_smooth({one}, 1.8)) << "too great a gamma";
  EXPECT_FALSE(this->are_smooth({one}, 1.4, 0.7)) << "far from the background";
  EXPECT_FALSE(this->are_smooth({one}, 1.4, 1.4)) << "far from the background";
}

TYPED_TEST(SeenCells, AreSmoothOnlyWhereTheBoundsThatWereSearchedHoldThemAll) {
  using Real = TypeParam;
  const Gas<Real> gas(1.4);
  Dice dice(21);
  int smooth = 0;
  for (int trial = 0; trial < 200'000; ++trial) {
    const bool has_background = trial % 2 == 1;
    double background = has_background ? dice.between(0.5, 2.2) : 0;
    const auto extreme = [&](double least, double most) {
      return dice.between(0, 1) < 0.5 ? dice.between(least, most) : dice.between(0, 1) < 0.5 ? least : most;
    };
    constexpr double most_change = Bounds::most_background_change;
    const double change = 1 / (1 - extreme(-most_change, most_change));  // from plane to plane
    const double level = has_background ? dice.between(0.7, 1.4) : dice.between(0.5, 2);
    const double spread = extreme(1, 0.9999 * CellsSeen<Real>::pressures);
    const double ratio = dice.between(1, 4.2), fastest = dice.between(0, 0.2);
    std::array<Cell<Real>, 4> cells;
    CellsSeen<Real> seen;
    SmoothSpread of_cells;
    for (Cell<Real>& cell : cells) {
      Primitive p{
          dice.between(0, 1) < 0.5 ? 1 : ratio, {}, dice.between(0, 1) < 0.5 ? level : level * spread};
      background *= change;
      if (has_background) p.pressure *= background;
      const double speed = std::sqrt(fastest * p.pressure / p.density / 3);
      p.velocity = {speed, speed, speed};
      cell = cell_of(p, background, gas);
      seen.include(cell, Real(background > 0 ? 1 / background : 1));
      of_cells.include(SmoothBounds<Real>::spread_of(cell));
    }
    if (!tayra::are_smooth(seen, has_background, gas)) continue;
    ++smooth;
    SmoothBounds<Real> bounds;
    bounds.surround(of_cells, {}, has_background, gas);
    for (const Cell<Real>& cell : cells)
      ASSERT_GE(bounds.alarm(cell.state, cell.background_pressure, gas), 0) << "trial " << trial;
  }
  EXPECT_GT(smooth, 20'000);
}

}  // namespace
}  // namespace tayra::testing
