// A pack's short cuts round as one number's division and square root do.
#include "core/simd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace tayra {
namespace {

constexpr std::uint64_t mantissa = (std::uint64_t(1) << 52) - 1;

/// Between 2^-60 and 2^60; every other one with a mantissa that is hard to round: few bits beside zeros or
/// ones.
double draw(std::mt19937_64& bits) {
  const std::uint64_t random = bits(), choice = bits();
  const std::uint64_t few = random >> (12 + choice % 50);
  const std::uint64_t hard = choice & 1 << 20 ? ~few : few;
  const std::uint64_t exponent = 1023 - 60 + (choice >> 32) % 120;
  return std::bit_cast<double>(exponent << 52 | ((choice & 1 << 21 ? hard : random) & mantissa));
}

template <class Real>
using Function = Pack<Real>(const Pack<Real>&);

template <class Real>
void expect_exact(int count, Function<Real> reciprocal_of, Function<Real> root_of) {
  std::mt19937_64 bits(14);
  int wrong_reciprocals = 0, wrong_roots = 0;
  for (int i = 0; i < count; ++i) {
    const Pack<Real> pack([&](auto) { return Real(draw(bits)); });
    const Pack<Real> reciprocals = reciprocal_of(pack), negative = reciprocal_of(-pack);
    const Pack<Real> roots = root_of(pack);
    for (int lane = 0; lane < int(Pack<Real>::size()); ++lane) {
      const Real number = pack[lane];
      wrong_reciprocals += reciprocals[lane] != 1 / number || negative[lane] != -1 / number;
      wrong_roots += roots[lane] != std::sqrt(number);
    }
  }
  EXPECT_EQ(wrong_reciprocals, 0);
  EXPECT_EQ(wrong_roots, 0);
}

template <class Real>
void expect_the_next_lane() {
  constexpr int lanes = int(Pack<Real>::size());
  const Pack<Real> a([](auto lane) { return Real(int(lane)); });
  const Pack<Real> next = from_next_lane(a, a + Pack<Real>(Real(lanes)));
  for (int lane = 0; lane < lanes; ++lane) EXPECT_EQ(next[lane], Real(lane + 1));
}

TEST(Pack, IsReadALaneOnAcrossTwo) {
  expect_the_next_lane<double>();
  expect_the_next_lane<float>();
}

TEST(Pack, ReciprocalsAndRootsAreCorrectlyRounded) {
  using Doubles = NumberTraits<Pack<double>>;
  using Floats = NumberTraits<Pack<float>>;
  expect_exact<double>(1'000'000, Doubles::reciprocal, Doubles::square_root);
  expect_exact<float>(500'000, Floats::reciprocal, Floats::square_root);
}

#if defined(__AVX512F__)
TEST(Pack, ReciprocalsAndRootsByEstimatesAreCorrectlyRounded) {
  expect_exact<double>(1'000'000, estimated_reciprocal, estimated_square_root);
}
#endif

template <class Real>
bool same(Real a, Real b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

template <class Real>
void expect_signs_as_of_one_number() {
  const std::vector<Real> numbers{0, Real(-0.0), 1, -1, Real(1e-30), Real(-1e-30), 3};
  for (const Real number : numbers)
    for (const Real of : numbers) {
      const Pack<Real> pack = times_sign(Pack<Real>(number), Pack<Real>(of));
      const Real expected = std::signbit(of) ? -number : number;
      EXPECT_TRUE(same(pack[0], expected)) << number << " times the sign of " << of;
      EXPECT_EQ(std::signbit(times_sign(number, of)), std::signbit(expected));
      const Real part = positive_part(Pack<Real>(number))[0];
      EXPECT_TRUE(part == std::max(number, Real(0)) && !std::signbit(part)) << number;
      EXPECT_EQ(positive_part(number), part);
    }
}

template <class Real>
void expect_the_nearest_zero() {
  const std::vector<Real> numbers{0, Real(-0.0), 1, -1, 2, -2, Real(1e-30), Real(-1e-30), 3};
  for (const Real a : numbers)
    for (const Real b : numbers)
      for (const Real c : numbers) {
        const bool have_one_sign = std::signbit(a) == std::signbit(b);
        if (have_one_sign && std::signbit(c) != std::signbit(a)) continue;
        const Real found = Minmod<Real>::of(a, b, 1, false).or_nearer(c);
        const Real of_pack =
            Minmod<Pack<Real>>::of(a, b, 1, typename Pack<Real>::mask_type(false)).or_nearer(c)[0];
        EXPECT_TRUE(same(found, of_pack)) << a << ' ' << b << ' ' << c;
        const Real least = std::min({std::abs(a), std::abs(b), std::abs(c)});
        const Real nothing = std::numeric_limits<Real>::min();
        EXPECT_NEAR(found, have_one_sign ? std::copysign(least, a) : 0, nothing) << a << ' ' << b << ' ' << c;
        const typename Pack<Real>::mask_type all(true);
        EXPECT_EQ(Minmod<Real>::of(a, b, 1, true).or_nearer(c), c) << a << ' ' << b;
        EXPECT_EQ(Real(Minmod<Pack<Real>>::of(a, b, 1, all).or_nearer(c)[0]), c) << a << ' ' << b;
        if (!have_one_sign) continue;
        EXPECT_NEAR(std::abs(Minmod<Real>::of(a, b, 6, false).or_nearer(c)),
                    std::min(6 * std::min(std::abs(a), std::abs(b)), std::abs(c)), nothing);
      }
}

TEST(Pack, MinmodIsTheNearestZeroOrZeroBetweenSigns) {
  expect_the_nearest_zero<double>();
  expect_the_nearest_zero<float>();
}

TEST(Pack, SignsAreThoseOfOneNumber) {
  expect_signs_as_of_one_number<double>();
  expect_signs_as_of_one_number<float>();
}

}  // namespace
}  // namespace tayra
