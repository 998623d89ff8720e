// Tests of sums whose order depends on nothing but the numbers of their terms.
#include "core/tree_sum.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tayra {
namespace {

/// By its definition: neighbours, then neighbours of what is left.
double sum_by_levels(std::vector<double> terms) {
  while (terms.size() > 1) {
    std::vector<double> pairs;
    for (std::size_t i = 0; i < terms.size(); i += 2)
      pairs.push_back(i + 1 < terms.size() ? terms[i] + terms[i + 1] : terms[i]);
    terms = pairs;
  }
  return terms.front();
}

TEST(TreeSum, AddsNeighboursThenTheirSums) {
  std::vector<double> terms;
  for (int count = 1; count <= 70; ++count) {
    terms.push_back(1. / (3 + count % 7) + 1e-9 * count);
    EXPECT_EQ(tree_sum(count, [&](int i) { return terms[i]; }), sum_by_levels(terms)) << count;
  }
}

TEST(TreeSum, OfTheMostTermsHasRoomForItsBranches) {
  EXPECT_EQ(tree_sum(65536, [](int) { return 1.; }), 65536);
  EXPECT_EQ(tree_sum(65535, [](int) { return 1.; }), 65535);
}

TEST(TreeSum, HasBranchesThatBeginAtAMultipleOfTheirLength) {
  EXPECT_EQ(branch_terms(0, 13), 8);
  EXPECT_EQ(branch_terms(8, 13), 4);
  EXPECT_EQ(branch_terms(12, 13), 1);
  EXPECT_EQ(branch_terms(6, 100), 2);
  EXPECT_EQ(branch_terms(5, 100), 1);
}

}  // namespace
}  // namespace tayra
