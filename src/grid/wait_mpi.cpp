// Polling rather than MPI_Wait, so that a lost rank is noticed.
#include "grid/wait_mpi.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdint>

#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "grid/signs_of_life_mpi.hpp"

namespace tayra {
namespace {

using WallClock = SignsOfLife::WallClock;

double patience_seconds = usual_patience;

SignsOfLife& signs_of_life() {
  static SignsOfLife signs;
  return signs;
}

void require_no_silent_rank(WallClock::time_point since) {
  if (const auto rank = signs_of_life().silent_rank(since))
    throw Error(ExitCode::lost, "nothing was heard from rank " + std::to_string(*rank) + " for " +
                                    std::to_string(static_cast<int>(patience_seconds)) +
                                    " s while files were written or read (it hangs or has died)");
}

/// Others may take any time for their files, as long as nobody is silent.
void look_around(WallClock::time_point since, const std::function<std::string()>& late) {
  SignsOfLife& signs = signs_of_life();
  signs.exchange(Sign::waiting, since);
  const std::chrono::duration<double> waited = WallClock::now() - std::max(since, signs.last_at_files());
  if (waited.count() > patience_seconds) throw Error(ExitCode::lost, late());
  if (signs.last_at_files() > since) require_no_silent_rank(since);
}

}  // namespace

double mpi_patience() { return patience_seconds; }
void set_mpi_patience(double seconds) { patience_seconds = seconds; }

void check_mpi(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ExitCode::lost, std::string("MPI failed while ") + doing + ": " + std::string(text, length));
}

void poll(const std::function<bool()>& done, const std::function<std::string()>& late) {
  constexpr std::chrono::milliseconds eager_time(2);  // then others that share the core may run
  WallClock::time_point start = WallClock::now(), last_poll = start;
  while (!done()) {
    const WallClock::time_point now = WallClock::now();
    const std::chrono::duration<double> held_up = now - last_poll;
    // Itself: nobody else is to blame. Those who give up on it do so a little before it has been held up for
    // all of the patience.
    if (held_up.count() > patience_seconds / 2) start = now;
    last_poll = now;
    if (now - start < eager_time) continue;
    sched_yield();
    look_around(start, late);
  }
}

void stay_in_touch(WallClock::time_point since) {
  signs_of_life().exchange(Sign::at_files, since);
  require_no_silent_rank(since);
}

void wait_for_all(std::vector<MPI_Request>& requests, const std::function<std::string(std::size_t)>& owing) {
  const auto all_done = [&] {
    int done = 0;
    check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
              "waiting for messages");
    return done != 0;
  };
  poll(all_done, [&] {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      int done = 0;
      if (MPI_Request_get_status(requests[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done)
        return owing(i);
    }
    return std::string("a message came too late");
  });
}

}  // namespace tayra
