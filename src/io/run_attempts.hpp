// The attempts that a run took: each is run.json's while it lasts, then an entry of the next one's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/json.hpp"
#include "solver/clock.hpp"

namespace tayra {

/// What run.json tells of a run until now, as far as it can be read.
struct PastRun {
  std::string status = {};                 // of the last attempt; empty where there is none
  Json attempts = Json::array();           // itself the last
  std::optional<StepClock> end = {};       // that it got to: step and time
  std::int64_t from_step = -1;             // of the checkpoint that it went on from; -1: from the beginning
  std::optional<std::int64_t> first = {};  // the step from which the first attempt went on
  std::vector<std::string> missing_rows_told = {};  // what logs lack, as the attempt has told it
  /// Checkpoints of later steps may hold an error that an audit has found.
  std::int64_t last_right_audit = INT64_MAX;
  std::optional<std::int64_t> gpu_that_erred = {};  // as the attempt's process numbers it
  std::int64_t ranks = 1;
};
PastRun read_past_run(const std::string& record);

/// Ends the record of an attempt that was killed before it could, or took its end for another one: its status
/// becomes `lost`. One that told so itself knows better why and is left as it is.
void note_lost_attempt(const std::string& record, const std::string& why);

}  // namespace tayra
