// What is the same for all planes of a grid.
#include "solver/plane_waves.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tayra {
namespace {

/// Fours, of which a pass costs no more than one of twos, then primes.
std::vector<int> factors_of(int n) {
  std::vector<int> factors;
  const auto take = [&](int factor) {
    for (; n % factor == 0; n /= factor) factors.push_back(factor);
  };
  take(4);
  for (int factor = 2; n > 1; ++factor) take(factor);
  return factors;
}

void add_passes(WavePlan& plan, bool along_y, int n) {
  int done = 1;
  for (const int radix : factors_of(n)) {
    plan.passes.push_back({along_y, n, radix, done, plan.turns.size()});
    done *= radix;
  }
  for (int k = 0; k < n; ++k) {
    const double angle = -2 * std::numbers::pi * k / n;
    plan.turns.push_back({std::cos(angle), std::sin(angle)});
  }
}

}  // namespace

WavePlan::WavePlan(const Grid& grid) : nx(grid.cells[0]), ny(grid.cells[1]) {
  const double longest = std::max(grid.side(0), grid.side(1));
  spacing = longest > 0 ? 2 * std::numbers::pi / longest : 0;
  add_passes(*this, false, nx);
  add_passes(*this, true, ny);
  std::vector<std::pair<int, int>> by_shell;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x <= nx / 2; ++x) {
      if (x == 0 && y == 0) continue;
      const double along_x = x > 0 ? x * (longest / grid.side(0)) : 0;
      const double along_y = y > 0 ? std::min(y, ny - y) * (longest / grid.side(1)) : 0;
      const double wavenumber = std::sqrt(along_x * along_x + along_y * along_y);
      by_shell.emplace_back(static_cast<int>(std::floor(wavenumber + 0.5)), x + nx * y);
    }
  std::sort(by_shell.begin(), by_shell.end());
  first_wave = {0};
  for (const auto& [shell, wave] : by_shell) {
    for (; shells < shell; ++shells)
      if (shells > 0) first_wave.push_back(static_cast<int>(waves.size()));
    waves.push_back(wave);
  }
  first_wave.push_back(static_cast<int>(waves.size()));
}

std::vector<WaveItem> wave_items(const std::vector<PlaneField>& fields, const std::vector<int>& planes) {
  std::vector<WaveItem> items;
  for (const int plane : planes)
    for (const PlaneField& field : fields) items.push_back({plane, field});
  return items;
}

}  // namespace tayra
