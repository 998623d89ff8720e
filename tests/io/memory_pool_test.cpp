// Tests of the memory that output waits in.
#include "io/memory_pool.hpp"

#include <gtest/gtest.h>

namespace tayra {
namespace {

TEST(MemoryPool, HoldsNoMoreThanItMayWhateverSizesAreTaken) {
  MemoryPool pool(Device{}, 1000);
  for (int round = 0; round < 4; ++round)
    for (const std::size_t bytes : {900, 60, 400, 300, 700}) {
      const auto taken = pool.take(bytes);
      const auto rest = pool.take(1000 - bytes);
      EXPECT_LE(pool.held(), 1000u);
    }
}

TEST(MemoryPool, GivesTheSameMemoryAgainForTheSameSize) {
  MemoryPool pool(Device{}, 1000);
  const std::byte* const first = pool.take(300).get();
  const auto kept = pool.take(200);
  EXPECT_EQ(pool.take(300).get(), first);
  EXPECT_EQ(pool.held(), 500u);
}

TEST(MemoryPool, GivesUpAPieceThatWasMoreThanItMayForTheNextOne) {
  MemoryPool pool(Device{}, 1000);
  const std::byte* const large = pool.take(5000).get();
  EXPECT_EQ(pool.take(5000).get(), large);
  pool.take(10);
  EXPECT_EQ(pool.held(), 10u);
}

}  // namespace
}  // namespace tayra
