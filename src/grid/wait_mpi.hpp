// MPI calls that are checked, and waits that leave the core to others.
#pragma once

#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <vector>

namespace tayra {

void check_mpi(int status, const char* doing);

/// Calls `done` until it returns true. MPI's own waits would take a whole core for as long as they last.
template <class Done>
void poll(Done done) {
  constexpr std::chrono::milliseconds eager_time(2);  // then others that share the core may run
  const auto start = std::chrono::steady_clock::now();
  while (!done())
    if (std::chrono::steady_clock::now() - start >= eager_time) sched_yield();
}

void wait_for_all(std::vector<MPI_Request>& requests);

}  // namespace tayra
