// How a run of one rank or many tells why it ends.
#pragma once

#include <memory>

#include "core/error.hpp"
#include "grid/ranks.hpp"

namespace tayra {

/// At once: where a rank is lost nobody may wait for threads that sit in calls which never return.
enum class Ending { tidy, at_once };

/// What went wrong on this rank and what others know of it, told once, by the first rank that answers.
/// Returns only when the ending is tidy and all ranks have something to say: otherwise all end here.
void report_failure(const Error& error, Ending ending);

/// Where one rank of several has failed, what others may still work with is left to the end of the process:
/// destroying it might wait for them.
template <class T>
void leave_to_the_end(std::unique_ptr<T>& owned) {
  if (ranks().size() > 1) static_cast<void>(owned.release());
}

/// Where a rank is lost in the work, all end here: destroying what lives outside of it (threads, kernels and
/// libraries that wait for that rank) would take for ever.
template <class Work>
auto end_here_if_lost(Work work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() == ExitCode::lost) report_failure(error, Ending::at_once);
    throw;
  }
}

}  // namespace tayra
