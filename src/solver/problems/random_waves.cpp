// Half of the plane of wave vectors, since the other half gives the same waves.
#include "solver/problems/random_waves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "solver/problems/counter_random.hpp"

namespace tayra {
namespace {

void scale_to(double rms, std::vector<RandomWave>& waves) {
  double mean_square = 0;
  for (const RandomWave& wave : waves) mean_square += 0.5 * std::norm(wave.amplitude);
  for (RandomWave& wave : waves) wave.amplitude *= rms / std::sqrt(mean_square);
}

}  // namespace

std::vector<RandomWave> random_waves(Band band, std::array<double, 2> box, std::uint64_t seed, double rms) {
  const double side = std::max(box[0], box[1]);
  const double lowest = static_cast<double>(band.lowest);
  const double highest = static_cast<double>(band.highest);
  const int reach_x = static_cast<int>(highest * box[0] / side);
  const int reach_y = static_cast<int>(highest * box[1] / side);
  std::vector<RandomWave> waves;
  for (int mx = 0; mx <= reach_x; ++mx)
    for (int my = mx == 0 ? 1 : -reach_y; my <= reach_y; ++my) {
      const double count = std::hypot(mx * side / box[0], my * side / box[1]);
      if (count < lowest || count > highest) continue;
      const double unit = 2 * std::numbers::pi;
      const auto [real, imaginary] = normal_pair(seed, mx, my);
      waves.push_back(
          {mx, my, {unit * mx / box[0], unit * my / box[1]}, unit * count / side, {real, imaginary}});
    }
  scale_to(rms, waves);
  return waves;
}

}  // namespace tayra
