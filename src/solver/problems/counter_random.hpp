// Random numbers as a function of a seed and a counter, so that a mode's amplitude depends on nothing but its
// name: Philox 4x32-10 of Salmon, Moraes, Dror & Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC
// '11.
#pragma once

#include <array>
#include <cstdint>

namespace tayra {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key);

/// Two independent numbers, normally distributed with mean 0 and variance 1.
std::array<double, 2> normal_pair(std::uint64_t seed, std::int32_t first, std::int32_t second);

}  // namespace tayra
