// Every rank tells the others how it went. Ranks that fail alike end alike; who fails alone ends all.
#include "grid/together.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "core/printable.hpp"
#include "grid/watchdog.hpp"

namespace tayra {
namespace {

/// What every rank says, as a number; empty where some rank does not fail soon.
std::vector<std::size_t> sayings_of_all(const Error& error) {
  constexpr double seconds_to_come = 2;
  return ranks().gather_failures(std::hash<std::string>()(error.what()), seconds_to_come);
}

/// How a rank's work ended.
struct Ended {
  int rank;
  ExitCode code;
};

/// Or one whose code is `done`.
Ended first_that_failed(ExitCode mine) {
  return ranks().merged(Ended{ranks().rank(), mine}, [](Ended& first, const Ended& other) {
    const bool has_failed = first.code != ExitCode::done, other_has = other.code != ExitCode::done;
    if (other_has && (!has_failed || other.rank < first.rank)) first = other;
  });
}

void tell(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "tayra: %s\n", printable(message).c_str());
}

std::string of_this_rank(const Error& error) {
  return "rank " + std::to_string(ranks().rank()) + ": " + error.what();
}

/// One rank of a node speaks: the others fail because it does, or for the same reason.
void end_here(const Error& error) {
  constexpr std::chrono::seconds for_who_speaks(3);
  if (ranks().take_the_word())
    tell(ranks().size() > 1 ? of_this_rank(error) : error.what());
  else
    std::this_thread::sleep_for(for_who_speaks);
  ranks().abort(error.code());
}

}  // namespace

// Texts travel only where some rank has failed.
void do_together(const std::function<void()>& work) {
  Error mine(ExitCode::done, "");
  try {
    work();
  } catch (const std::exception& failure) {
    mine = as_error(failure);
  }
  // Others may still be in a call that waits for what has failed here.
  ranks().watchdog().note_problem(mine.what());
  const Ended first = first_that_failed(mine.code());
  const std::string problem =
      first.code == ExitCode::done ? std::string() : ranks().from(first.rank, mine.what());
  ranks().watchdog().note_problem("");
  if (first.code != ExitCode::done) throw Error(first.code, problem);
}

void on_first_rank(const std::function<void()>& work) {
  const Doing doing(Phase::at_files);
  do_together([&] {
    if (ranks().is_first()) work();
  });
}

bool holds_on_all_ranks(bool mine) {
  return ranks().merged(mine, [](bool& all, bool one) { all = all && one; });
}

void end_here_unless_all_fail(const Error& error) {
  if (error.code() == ExitCode::lost || sayings_of_all(error).empty()) end_here(error);
}

void report_failure(const Error& error) {
  const auto sayings = sayings_of_all(error);
  if (sayings.empty()) return end_here(error);
  const auto own = sayings[static_cast<std::size_t>(ranks().rank())];
  const auto first_to_say_it = std::find(sayings.begin(), sayings.end(), own) - sayings.begin();
  const bool all_alike = std::count(sayings.begin(), sayings.end(), own) == std::ssize(sayings);
  if (first_to_say_it == ranks().rank()) tell(all_alike ? error.what() : of_this_rank(error));
}

}  // namespace tayra
