// Random waves over the plane in a band of wavenumbers, the same for a seed whatever the grid: a mode's
// amplitude depends on nothing but its name.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

namespace tayra {

/// Random numbers as a function of a key and a counter: Philox 4x32-10 of Salmon, Moraes, Dror & Shaw (2011),
/// Parallel random numbers: as easy as 1, 2, 3, SC '11.
using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key);

/// Two independent numbers, normally distributed with mean 0 and variance 1.
std::array<double, 2> normal_pair(std::uint64_t seed, std::int32_t first, std::int32_t second);

/// Re(amplitude exp(i (k_x x + k_y y))), x and y measured from the middle of the box.
struct RandomWave {
  int mx;  // whole waves across the box along x, at least 0
  int my;  // along y, signed
  std::array<double, 2> wavenumber;
  double total_wavenumber;
  std::complex<double> amplitude;
};

/// Whole waves across the box's longer side.
struct Band {
  std::int64_t lowest;
  std::int64_t highest;
  double slope = 0;  // a wave's variance goes as this power of its wavenumber
};

/// All waves of the band that vary along axes on which the box is longer than 0, normally distributed with
/// the band's variance, then scaled so that the root of the mean square of their sum over the plane is `rms`.
/// The mean over a grid's cell centres is the same.
std::vector<RandomWave> random_waves(Band band, std::array<double, 2> box, std::uint64_t seed, double rms);

}  // namespace tayra
