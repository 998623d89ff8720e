// MPI calls that are checked, and waits that end.
#pragma once

#include <mpi.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace tayra {

/// What a message between all ranks is about: nobody else's tags in MPI_COMM_WORLD.
enum MessageTag : int { pattern_tag, carry_tag, roll_call_tag, sign_tag };

void check_mpi(int status, const char* doing);

/// Seconds after which whoever owes a message is taken for lost.
double mpi_patience();
void set_mpi_patience(double seconds);

/// Waits for all; `owing` says who owes the request at a position, for the message when one never comes.
void wait_for_all(std::vector<MPI_Request>& requests, const std::function<std::string(std::size_t)>& owing);

/// Calls `done` until it returns true. Throws Error(lost) with the text of `late` when the patience is over,
/// which starts anew whenever some rank reports that it is at its files.
void poll(const std::function<bool()>& done, const std::function<std::string()>& late);

/// To be called again and again in a wait for files of this rank's own that began at `since`: the others hear
/// that it lives; throws when one of them has been silent for longer than the patience.
void stay_in_touch(std::chrono::steady_clock::time_point since);

}  // namespace tayra
