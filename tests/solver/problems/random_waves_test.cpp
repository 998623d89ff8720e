// The waves of a band are the same in any unit of length.
#include "solver/problems/random_waves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace tayra {
namespace {

std::vector<std::pair<int, int>> counts(Band band, std::array<double, 2> box) {
  std::vector<std::pair<int, int>> all;
  for (const RandomWave& wave : random_waves(band, box, 1, 0.1)) all.emplace_back(wave.mx, wave.my);
  return all;
}

TEST(RandomWaves, AreTheSameInEveryUnitOfLength) {
  for (const Band band : {Band{3, 3}, Band{3, 7}, Band{6, 12}})
    for (const double across : {1., 2., 3.}) {
      const auto expected = counts(band, {1, across});
      ASSERT_FALSE(expected.empty());
      for (int tenths = 1; tenths <= 100; ++tenths) {
        const double unit = tenths / 10.;
        EXPECT_EQ(counts(band, {unit, across * unit}), expected)
            << "modes " << band.lowest << " to " << band.highest << ", " << unit << " x " << across * unit;
      }
    }
}

TEST(RandomWaves, OfASingleCountLieAlongTheAxes) {
  EXPECT_EQ(counts({3, 3}, {0.1, 0.1}), (std::vector<std::pair<int, int>>{{0, 3}, {3, 0}}));
}

TEST(RandomWaves, LieAlongTheOtherAxisWhereOneHasNoLength) {
  EXPECT_EQ(counts({3, 5}, {2, 0}), (std::vector<std::pair<int, int>>{{3, 0}, {4, 0}, {5, 0}}));
  EXPECT_EQ(counts({3, 5}, {0, 2}), (std::vector<std::pair<int, int>>{{0, 3}, {0, 4}, {0, 5}}));
  for (const RandomWave& wave : random_waves({3, 5}, {2, 0}, 1, 0.1)) EXPECT_EQ(wave.wavenumber[1], 0);
}

/// Of all waves, weighted by their variance.
double mean_square_wavenumber(Band band, std::array<double, 2> box) {
  double variance = 0, moment = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const RandomWave& wave : random_waves(band, box, seed, 1)) {
      variance += std::norm(wave.amplitude);
      moment += std::norm(wave.amplitude) * wave.total_wavenumber * wave.total_wavenumber;
    }
  return moment / variance;
}

// With P ~ k^m from K / 2 to K the mean of k^2 is (m + 1) / (m + 3) (1 - 2^-(m + 3)) / (1 - 2^-(m + 1)) K^2.
TEST(RandomWaves, HaveTheSpectrumThatTheirBandAsksFor) {
  const auto expected = [](double m) {
    return (m + 1) / (m + 3) * (1 - std::pow(2, -m - 3)) / (1 - std::pow(2, -m - 1));
  };
  EXPECT_DOUBLE_EQ(expected(0), 7. / 12);
  const double side = 2 * std::numbers::pi;
  for (const double m : {-2., 0., 1., 3.}) {
    EXPECT_NEAR(mean_square_wavenumber({16, 32, m - 1}, {side, side}) / (32 * 32), expected(m), 0.01) << m;
    EXPECT_NEAR(mean_square_wavenumber({200, 400, m}, {side, 0}) / (400 * 400), expected(m), 0.01) << m;
  }
}

}  // namespace
}  // namespace tayra
