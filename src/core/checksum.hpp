// A 64-bit sum over bytes that tells damage from what was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tayra {

/// Any change within eight aligned bytes changes it for certain, within the last 31 that of a single byte;
/// any other with probability 1 - 2^-64. Not meant against people.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace tayra
