// A pack's short cuts round as one number's division and square root do.
#include "core/simd.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>

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
void expect_exact(int count) {
  std::mt19937_64 bits(14);
  int wrong_reciprocals = 0, wrong_roots = 0;
  for (int i = 0; i < count; ++i) {
    const Pack<Real> pack([&](auto) { return Real(draw(bits)); });
    const Pack<Real> reciprocals = reciprocal(pack), negative = reciprocal<Pack<Real>>(-pack);
    const Pack<Real> roots = square_root(pack);
    for (int lane = 0; lane < int(Pack<Real>::size()); ++lane) {
      const Real number = pack[lane];
      wrong_reciprocals += reciprocals[lane] != 1 / number || negative[lane] != -1 / number;
      wrong_roots += roots[lane] != std::sqrt(number);
    }
  }
  EXPECT_EQ(wrong_reciprocals, 0);
  EXPECT_EQ(wrong_roots, 0);
}

TEST(Pack, ReciprocalsAndRootsAreCorrectlyRounded) {
  expect_exact<double>(1'000'000);
  expect_exact<float>(500'000);
}

}  // namespace
}  // namespace tayra
