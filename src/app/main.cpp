// The program tayra. The one place that catches: it turns an error into one message and the exit code.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <thread>

#include "app/command_line.hpp"
#include "core/error.hpp"
#include "grid/ranks.hpp"
#include "io/hdf5.hpp"

namespace {

using tayra::ExitCode;
using tayra::RankAnswer;
using tayra::ranks;

void print(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "tayra: %s\n", message.c_str());
}

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
              (answers[rank].seen.empty() ? "nor does any other on its node" : "it is " + answers[rank].seen);
  return told;
}

/// An error that all ranks make is told as one process would; what only some say, by the first of them for
/// all, and it ends the others.
int report(const std::string& message, ExitCode code) {
  constexpr double seconds_to_come = 2;
  const auto answers = ranks().call_roll(message, seconds_to_come);
  const auto is_alike = [&](const RankAnswer& answer) { return answer.came && answer.said == message; };
  const bool all_alike = std::all_of(answers.begin(), answers.end(), is_alike);
  const bool all_came =
      std::all_of(answers.begin(), answers.end(), [](const RankAnswer& answer) { return answer.came; });
  const auto first = std::find_if(answers.begin(), answers.end(), [](const auto& one) { return one.came; });
  if (first - answers.begin() == ranks().rank())
    print(all_alike ? message
                    : told_by_all(answers) + (code == ExitCode::lost ? told_of_silent(answers) : ""));
  else if (!all_came)
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_to_come));  // until the first has told
  if (!all_came) ranks().abort(code);
  return static_cast<int>(code);
}

int run(const std::vector<std::string>& arguments) {
  try {
    return static_cast<int>(tayra::run_command_line(arguments));
  } catch (const tayra::Error& error) {
    return report(error.what(), error.code());
  } catch (const std::bad_alloc&) {
    return report("out of memory", ExitCode::failed);
  } catch (const std::exception& error) {
    return report(error.what(), ExitCode::failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // Before MPI: HDF5 would otherwise tidy up when MPI ends, which it must not (see prepare()).
    tayra::h5::prepare();
    // Only the first rank talks.
    if (!ranks().is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  } catch (const tayra::Error& error) {
    print(error.what());
    return static_cast<int>(error.code());
  }
  return run({argv + 1, argv + argc});
}
