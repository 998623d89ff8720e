// Counts, on a GPU, how often the fast reciprocal and square root differ from the correctly rounded ones, and
// what is done to signs from what it says.
#pragma once

#include <cstdint>

namespace tayra::testing {

struct Mismatches {
  unsigned long long reciprocals;
  unsigned long long square_roots;
  unsigned long long signs;
  unsigned long long example;  // bits of a number with a mismatch
};

/// Of every float from 2^-60 up to 2^60, both signs for the reciprocal.
Mismatches compare_all_floats();
/// Of `count` random doubles between 2^-60 and 2^60, and of as many whose mantissas are hard to round.
Mismatches compare_doubles(std::uint64_t count);

}  // namespace tayra::testing
