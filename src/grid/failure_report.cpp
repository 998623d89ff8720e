// Ranks that fail alike end alike, and one of them says why. Who fails alone ends all.
#include "grid/failure_report.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/printable.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

/// What every rank says, as a number; empty where some rank does not fail soon.
std::vector<std::size_t> sayings_of_all(const Error& error) {
  constexpr double seconds_to_come = 2;
  return ranks().gather_failures(std::hash<std::string>()(error.what()), seconds_to_come);
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
