// Ranks fail together, so that none waits for another that has gone another way, and one of them says why.
#pragma once

#include <functional>
#include <utility>

#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {

/// Runs work; if it fails on some ranks, throws on all what the first one that failed says. The work may make
/// collective calls only if these fail on all ranks or on none.
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

/// Tells what went wrong here, or leaves that to another rank that says the same. Returns only if all ranks
/// fail and none is lost.
void report_failure(const Error& error);

/// Ends the process here, with a report, unless all ranks fail and none is lost: what others work with can't
/// be destroyed then without waiting for them.
void end_here_unless_all_fail(const Error& error);

template <class Work>
auto end_here_unless_all_fail(Work work) {
  try {
    return work();
  } catch (const std::exception& failure) {
    end_here_unless_all_fail(as_error(failure));
    throw;
  }
}

}  // namespace tayra
