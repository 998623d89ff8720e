// Tests of the checksum.
#include "core/checksum.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tayra {
namespace {

std::uint64_t sum_of(const std::string& text) { return checksum(std::as_bytes(std::span(text))); }

TEST(Checksum, ChangesWithEveryBitAndWithTheLength) {
  for (const std::size_t size : {0, 1, 7, 8, 31, 32, 33, 100}) {
    const std::string text(size, 'a');
    std::set<std::uint64_t> sums{sum_of(text), sum_of(text + 'a'), sum_of(text + '\0')};
    EXPECT_EQ(sums.size(), 3u) << size;
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      std::string other = text;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
      EXPECT_TRUE(sums.insert(sum_of(other)).second) << "bit " << bit << " of " << size << " bytes";
    }
  }
}

TEST(Checksum, ChangesWhenPartsAreExchanged) {
  EXPECT_NE(sum_of(std::string(8, 'a') + std::string(8, 'b')),
            sum_of(std::string(8, 'b') + std::string(8, 'a')));
  EXPECT_NE(sum_of(std::string(32, 'a') + std::string(32, 'b')),
            sum_of(std::string(32, 'b') + std::string(32, 'a')));
}

}  // namespace
}  // namespace tayra
