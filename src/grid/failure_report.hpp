// How a run of one rank or many tells why it ends.
#pragma once

#include "core/error.hpp"

namespace tayra {

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
