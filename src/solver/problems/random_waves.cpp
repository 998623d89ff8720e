// The ten rounds of Philox, normal numbers by Box and Muller, and half of the plane of wave vectors, since
// the other half gives the same waves.
#include "solver/problems/random_waves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tayra {
namespace {

/// In (0, 1), from 53 random bits.
double uniform(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 21) ^ (low >> 11);
  return (static_cast<double>(bits) + 0.5) * 0x1p-53;
}

void scale_to(double rms, std::vector<RandomWave>& waves) {
  double mean_square = 0;
  for (const RandomWave& wave : waves) mean_square += 0.5 * std::norm(wave.amplitude);
  for (RandomWave& wave : waves) wave.amplitude *= rms / std::sqrt(mean_square);
}

}  // namespace

PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
        static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

std::array<double, 2> normal_pair(std::uint64_t seed, std::int32_t first, std::int32_t second) {
  const PhiloxKey key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  const auto bits =
      philox4x32({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), 0, 0}, key);
  const double radius = std::sqrt(-2 * std::log(uniform(bits[0], bits[1])));
  const double angle = 2 * std::numbers::pi * uniform(bits[2], bits[3]);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::vector<RandomWave> random_waves(Band band, std::array<double, 2> box, std::uint64_t seed, double rms) {
  constexpr double rounding = 1e-12;  // which waves there are must not depend on the unit of length
  const double side = std::max(box[0], box[1]);
  const auto per = [&](int axis) { return box[axis] > 0 ? side / box[axis] : 0; };
  const double per_x = per(0), per_y = per(1);
  const double lowest = static_cast<double>(band.lowest) * (1 - rounding);
  const double highest = static_cast<double>(band.highest) * (1 + rounding);
  const int reach_x = per_x > 0 ? static_cast<int>(highest / per_x) : 0;
  const int reach_y = per_y > 0 ? static_cast<int>(highest / per_y) : 0;
  std::vector<RandomWave> waves;
  for (int mx = 0; mx <= reach_x; ++mx)
    for (int my = mx == 0 ? 1 : -reach_y; my <= reach_y; ++my) {
      const double count = std::hypot(mx * per_x, my * per_y);
      if (count < lowest || count > highest) continue;
      const double unit = 2 * std::numbers::pi;
      const auto wavenumber = [&](int m, int axis) { return m == 0 ? 0 : unit * m / box[axis]; };
      const auto [real, imaginary] = normal_pair(seed, mx, my);
      const double share = std::pow(count, 0.5 * band.slope);
      waves.push_back({mx,
                       my,
                       {wavenumber(mx, 0), wavenumber(my, 1)},
                       unit * count / side,
                       {share * real, share * imaginary}});
    }
  scale_to(rms, waves);
  return waves;
}

}  // namespace tayra
