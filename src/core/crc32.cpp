// Sixteen bytes at a time, by a table for the place of each (Kounavis & Berry 2005).
#include "core/crc32.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace tayra {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t places = 16;
using Tables = std::array<std::array<std::uint32_t, 256>, places>;

/// What a byte becomes with so many bytes of zeros behind it.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320 : 0);
    tables[0][byte] = rest;
  }
  for (std::size_t zeros = 1; zeros < places; ++zeros)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[zeros - 1][byte];
      tables[zeros][byte] = (before >> 8) ^ tables[0][before & 255];
    }
  return tables;
}

constexpr Tables tables = make_tables();

/// Of eight bytes with so many behind them.
std::uint32_t of_word(std::uint64_t word, std::size_t behind) {
  std::uint32_t sum = 0;
  for (std::size_t byte = 0; byte < 8; ++byte) sum ^= tables[behind + 7 - byte][(word >> 8 * byte) & 255];
  return sum;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0xffffffff;
  std::size_t at = 0;
  for (; at + places <= bytes.size(); at += places) {
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), bytes.data() + at, sizeof(words));
    sum = of_word(words[0] ^ sum, 8) ^ of_word(words[1], 0);
  }
  for (; at < bytes.size(); ++at)
    sum = (sum >> 8) ^ tables[0][(sum ^ std::to_integer<std::uint32_t>(bytes[at])) & 255];
  return ~sum;
}

}  // namespace tayra
