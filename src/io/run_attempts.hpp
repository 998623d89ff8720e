// The attempts that a run took: each is run.json's while it lasts, then an entry of the next one's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/json.hpp"
#include "solver/clock.hpp"

namespace tayra {

/// What run.json tells of the attempts until now, itself the last; an empty array where there is none.
Json attempts_until_now(const std::string& record);

/// The status in run.json; empty where there is none.
std::string status_of_attempt(const std::string& record);

/// Step and time that it got to; nothing where run.json tells none.
std::optional<StepClock> end_of_attempt(const std::string& record);

/// The step of the checkpoint that the attempt went on from; -1 from the beginning, or where that is not
/// told.
std::int64_t step_gone_on_from(const std::string& record);

/// The step from which the first attempt went on, 0 from the beginning; nothing where run.json tells of none.
std::optional<std::int64_t> first_step(const std::string& record);

/// What run.json says that logs lack, as the attempt has told it.
std::vector<std::string> missing_rows_told(const std::string& record);

/// Checkpoints of later steps may hold an error that an audit has found; the last step there is where none
/// was found.
std::int64_t last_right_audit(const std::string& record);

/// A GPU that an audit found to err, as its process numbers it.
struct ErrantGpu {
  int number, ranks;
};
std::optional<ErrantGpu> gpu_that_erred(const std::string& record);

/// Ends the record of an attempt that was killed before it could, or took its end for another one: its status
/// becomes `lost`. One that told so itself knows better why and is left as it is.
void note_lost_attempt(const std::string& record, const std::string& why);

}  // namespace tayra
