// Ranks fail together, so that none waits for another that has gone another way.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace tayra {

/// How a rank's part of a work ended.
struct Outcome {
  ExitCode code = ExitCode::done;
  std::string problem;
};

Outcome outcome_of(const std::function<void()>& work);
/// Throws what the first one that failed said.
void require_all_done(const std::vector<Outcome>& outcomes);

/// Work that may fail on some ranks, and then does on all. It may hold calls that all ranks make together
/// only where these fail together.
void do_together(const std::function<void()>& work);

/// Whether each rank says so; all must ask together.
bool holds_on_all_ranks(bool mine);

}  // namespace tayra
