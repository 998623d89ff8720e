// The ten rounds of Philox, and normal numbers by Box and Muller.
#include "solver/problems/counter_random.hpp"

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

}  // namespace tayra
