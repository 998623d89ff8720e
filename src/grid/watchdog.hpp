// Ends a run that has come to a standstill: a thread of each of several ranks.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "grid/rank_work.hpp"

namespace tayra {

/// What a watchdog goes by at a look around.
struct Watch {
  int rank = 0;
  double timeout = usual_timeout;
  std::int64_t from = 0;  // what was before is not counted
  std::int64_t now = 0;
};

/// Why the run is to be given up, and what those of the node are at who do not wait. Nothing as long as the
/// rank has not waited too long for others, or is at its files, and all others of its node give heartbeats.
std::optional<std::string> reason_to_give_up(const Watch& watch, const std::map<int, SeenWork>& node);

class Watchdog {
 public:
  /// `node`: the work of its ranks by their number, `rank` is one of them.
  Watchdog(int rank, std::map<int, RankWork*> node);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void set_timeout(double seconds);
  /// What has failed here and others may not have heard of yet: it is told with the reason. Or "".
  void note_problem(const std::string& problem);
  /// What is left to do for a run that is given up. Done on the first rank's node.
  void set_last_act(std::function<void(const std::string& reason)> act);

 private:
  void watch();
  [[noreturn]] void give_up(const std::string& reason);

  int rank_;
  std::map<int, RankWork*> node_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool is_over_ = false;
  double timeout_ = usual_timeout;
  std::string problem_;
  std::function<void(const std::string&)> last_act_ = [](const std::string&) {};
  std::thread thread_;  // the last: it works with all of the above
};

}  // namespace tayra
