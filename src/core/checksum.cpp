// Words are mixed in by steps that can be undone, so that no single change gets lost.
#include "core/checksum.hpp"

#include <array>
#include <cstring>

namespace tayra {
namespace {

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // the golden ratio: an odd factor can be undone

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  const std::uint64_t product = (sum ^ word) * odd;
  return product ^ (product >> 32);  // a factor moves bits up only
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  // Four sums side by side: a single one would wait for its multiplication at every word.
  std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + sizeof(sums) <= bytes.size(); at += sizeof(sums)) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + at, sizeof(words));
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] = mixed(sums[lane], words[lane]);
  }
  std::uint64_t sum = bytes.size();
  for (; at < bytes.size(); ++at) sum = mixed(sum, std::to_integer<std::uint64_t>(bytes[at]));
  for (const std::uint64_t lane : sums) sum = mixed(sum, lane);
  return sum;
}

}  // namespace tayra
