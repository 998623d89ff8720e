// One message for all ranks.
#include "grid/last_words.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "core/printable.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

/// What several ranks say is told once, with those who say it.
std::string told_by_all(const std::vector<RankAnswer>& answers) {
  std::map<std::string, std::string> who;  // by what they say
  std::vector<std::string> order;
  for (std::size_t rank = 0; rank < answers.size(); ++rank) {
    if (!answers[rank].came) continue;
    std::string& sayers = who[answers[rank].said];
    if (sayers.empty()) order.push_back(answers[rank].said);
    sayers += (sayers.empty() ? "" : ", ") + std::to_string(rank);
  }
  std::string told;
  for (const std::string& said : order)
    told += (told.empty() ? "rank " : "\n  rank ") + who[said] + ": " + said;
  return told;
}

/// Of a rank that nothing came from.
std::string told_of_silent(const std::vector<RankAnswer>& answers) {
  std::string told;
  for (std::size_t rank = 0; rank < answers.size(); ++rank)
    if (!answers[rank].came)
      told += "\n  rank " + std::to_string(rank) + " does not answer: " +
              (answers[rank].seen.empty() ? "nor does any other on its node"
                                          : "it has been " + answers[rank].seen);
  return told;
}

}  // namespace

void report_failure(const Error& error, Ending ending) {
  constexpr double seconds_to_come = 2;
  const std::string message = error.what();
  const auto answers = ranks().call_roll(message, seconds_to_come);
  const auto is_alike = [&](const RankAnswer& answer) { return answer.came && answer.said == message; };
  const bool all_alike = std::all_of(answers.begin(), answers.end(), is_alike);
  const bool all_came =
      std::all_of(answers.begin(), answers.end(), [](const RankAnswer& answer) { return answer.came; });
  const bool ends_all = ending == Ending::at_once || !all_came;
  const auto first = std::find_if(answers.begin(), answers.end(), [](const auto& one) { return one.came; });
  if (first - answers.begin() == ranks().rank()) {
    const bool is_lost = error.code() == ExitCode::lost;
    const std::string told =
        all_alike ? message : told_by_all(answers) + (is_lost ? told_of_silent(answers) : "");
    std::fflush(stdout);
    std::fprintf(stderr, "tayra: %s\n", printable(told).c_str());
  } else if (ends_all) {
    ranks().be_heard(seconds_to_come);  // until the first has told, and ends all
  }
  if (ends_all) ranks().abort(error.code());
}

}  // namespace tayra
