// Ranks fail together, so that none waits for another that has gone another way.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {

/// How a rank's part of a work ended.
struct Outcome {
  ExitCode code = ExitCode::done;
  std::string problem;
};

Outcome outcome_of(const std::function<void()>& work);
/// Throws what the first one that failed said.
void require_all_done(const std::vector<Outcome>& outcomes);

/// Runs work; if it fails on some ranks, throws on all. The work may make collective calls only if these fail
/// on all ranks or on none.
void do_together(const std::function<void()>& work);

/// Work of the first rank alone, at its files; if it fails, it throws on all.
void on_first_rank(const std::function<void()>& work);
/// Likewise; what it found, on all ranks.
template <class Work>
auto found_by_first_rank(Work work) {
  decltype(work()) found{};
  on_first_rank([&] { found = work(); });
  return ranks().from_first(std::move(found));
}

/// Whether `mine` is true on all ranks; all must call it together.
bool holds_on_all_ranks(bool mine);

}  // namespace tayra
