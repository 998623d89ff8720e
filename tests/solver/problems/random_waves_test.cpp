// The waves of a band are the same in any unit of length.
#include "solver/problems/random_waves.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tayra
