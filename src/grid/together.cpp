// Every rank tells the others how it went, and all throw the error of the first that failed.
#include "grid/together.hpp"

#include <algorithm>

namespace tayra {

Outcome outcome_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    return {error.code(), error.what()};
  }
  return {};
}

void require_all_done(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes)
    require(outcome.code == ExitCode::done, outcome.code, outcome.problem);
}

namespace {

/// Texts travel only where some rank has failed.
std::vector<Outcome> outcomes_of_all(const Outcome& mine) {
  const auto codes = ranks().gather_values(mine.code);
  const auto is_done = [](ExitCode code) { return code == ExitCode::done; };
  if (std::all_of(codes.begin(), codes.end(), is_done)) return std::vector<Outcome>(codes.size());
  const auto problems = ranks().gather_texts(mine.problem);
  std::vector<Outcome> all;
  for (std::size_t rank = 0; rank < codes.size(); ++rank) all.push_back({codes[rank], problems[rank]});
  return all;
}

}  // namespace

void do_together(const std::function<void()>& work) {
  const Outcome mine = outcome_of(work);
  ranks().note_problem(mine.problem);  // others may still be in a call that waits for what has failed here
  const auto outcomes = outcomes_of_all(mine);
  ranks().note_problem("");
  require_all_done(outcomes);
}

void on_first_rank(const std::function<void()>& work) {
  const Doing doing(Phase::at_files);
  do_together([&] {
    if (ranks().is_first()) work();
  });
}

bool holds_on_all_ranks(bool mine) {
  const auto of_all = ranks().gather_values(static_cast<char>(mine));
  return std::all_of(of_all.begin(), of_all.end(), [](char holds) { return holds != 0; });
}

}  // namespace tayra
