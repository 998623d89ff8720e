// The checksum of gzip, PNG and Python's zlib.crc32: any tool can compute it anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tayra {

/// Any change within 32 consecutive bits changes it for certain, any other with probability 1 - 2^-32.
std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace tayra
