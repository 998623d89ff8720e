// The GPU's short cuts round as the CPU's division and square root do, and change signs as it does.
#include <gtest/gtest.h>

#include "core/device.hpp"
#include "gpu/number_kernel.hpp"

namespace tayra::testing {
namespace {

class GpuNumbers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << why_no_cuda();
  }
};

void expect_no_mismatch(const Mismatches& found) {
  EXPECT_EQ(found.reciprocals, 0u) << "such as bits " << found.example;
  EXPECT_EQ(found.square_roots, 0u) << "such as bits " << found.example;
  EXPECT_EQ(found.signs, 0u) << "such as bits " << found.example;
}

TEST_F(GpuNumbers, ReciprocalsAndRootsOfAllFloatsAreCorrectlyRounded) {
  expect_no_mismatch(compare_all_floats());
}

TEST_F(GpuNumbers, ReciprocalsAndRootsOfABillionDoublesAreCorrectlyRounded) {
  expect_no_mismatch(compare_doubles(1'000'000'000));
}

}  // namespace
}  // namespace tayra::testing
