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
TAYRA_HD int branch_terms(int first, int end) {
  int terms = 1;
  while (first % (2 * terms) == 0 && first + 2 * terms <= end) terms *= 2;
  return terms;
}

/// Calls act(first, terms) for each of the branches that terms make up.
template <class Act>
TAYRA_HD void for_each_branch(int first, int end, const Act& act) {
  for (int terms; first < end; first += terms) {
    terms = branch_terms(first, end);
    act(first, terms);
  }
}

TAYRA_HD void combine(double& sum, double part) { sum += part; }

/// Of terms that combine(sum, part) adds, which may come as whole branches, in order.
template <class Sum>
class TreeSum {
 public:
  TAYRA_HD void add(int first, int terms, Sum branch) {
    for (; depth_ > 0 && branches_[depth_ - 1].terms == terms && first % (2 * terms) != 0; --depth_) {
      Sum below = branches_[depth_ - 1].sum;
      combine(below, branch);
      branch = below;
      first -= terms;
      terms *= 2;
    }
    branches_[depth_++] = {terms, branch};
  }
  TAYRA_HD Sum whole() const {
    Sum sum = branches_[depth_ - 1].sum;
    for (int i = depth_ - 2; i >= 0; --i) {
      Sum below = branches_[i].sum;
      combine(below, sum);
      sum = below;
    }
    return sum;
  }

 private:
  struct Branch {
    int terms;
    Sum sum;
  };
  Branch branches_[most_tree_depth];
  int depth_ = 0;
};

}  // namespace tayra
