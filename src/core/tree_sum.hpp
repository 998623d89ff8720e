// Sums whose order depends on nothing but the numbers of their terms.
#pragma once

#include "core/number.hpp"

namespace tayra {

// Terms 0 and 1 are added, 2 and 3, then these pairs, and so on: a tree whose branches, ranges of 2^k terms
// that begin at a multiple of 2^k, may be summed apart.
inline constexpr int most_tree_depth = 17;  // of 65536 terms, the most cells along an axis

template <class Term>
TAYRA_HD double tree_sum(int count, const Term& term) {
  double branches[most_tree_depth];
  int depth = 0;
  for (int i = 0; i < count; ++i) {
    double sum = term(i);
    for (int full = i; (full & 1) != 0; full >>= 1) sum = branches[--depth] + sum;
    branches[depth++] = sum;
  }
  double sum = branches[--depth];
  while (depth > 0) sum = branches[--depth] + sum;
  return sum;
}

/// The largest branch that begins with a term and ends before another.
inline int branch_terms(int first, int end) {
  int terms = 1;
  while (first % (2 * terms) == 0 && first + 2 * terms <= end) terms *= 2;
  return terms;
}

}  // namespace tayra
