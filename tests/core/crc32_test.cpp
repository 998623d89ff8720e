// Tests of CRC-32 against its definition, a bit at a time.
#include "core/crc32.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tayra {
namespace {

std::uint32_t sum_of(const std::string& text) { return crc32(std::as_bytes(std::span(text))); }

/// The remainder of the division of the bits by the polynomial of IEEE 802.3.
std::uint32_t by_bits(const std::string& text) {
  std::uint32_t rest = 0xffffffff;
  for (const char c : text)
    for (int bit = 0; bit < 8; ++bit) {
      const std::uint32_t next = (static_cast<unsigned char>(c) >> bit) & 1;
      rest = (rest >> 1) ^ ((rest & 1) != next ? 0xedb88320 : 0);
    }
  return ~rest;
}

TEST(Crc32, HasTheValueThatAllToolsHave) { EXPECT_EQ(sum_of("123456789"), 0xcbf43926); }

TEST(Crc32, IsItsDefinitionForEveryLength) {
  std::string text;
  for (int size = 0; size < 70; ++size, text += static_cast<char>(37 * size + 11))
    EXPECT_EQ(sum_of(text), by_bits(text)) << size;
}

}  // namespace
}  // namespace tayra
