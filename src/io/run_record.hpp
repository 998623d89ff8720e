// run.json: who ran what where, how it ended and what it took; and what earlier attempts told in it. Each is
// run.json's while it lasts, then an entry of the next one's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint_file.hpp"
#include "io/config.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "solver/audit.hpp"
#include "solver/clock.hpp"
#include "solver/simulation.hpp"

namespace tayra {

/// The checkpoint that a run goes on from, and what it said.
struct Resumption {
  std::string checkpoint;
  RunPosition position;
  std::int64_t logs_begin = 0;                      // no row of an earlier step is in this run's logs
  std::vector<std::string> missing_rows_told = {};  // that these logs lack
  bool is_finished = false;                         // the run got to its end there, and is not to go further
};

/// Lost: a rank, a GPU or the machine was, or the run was killed.
enum class RunStatus { running, finished, stopped, failed, lost };
const char* name_of(RunStatus status);

std::string utc_now();

/// What a step took with a cut along y, for `run.cut_y: auto`.
struct CutTrial {
  int cut_y;
  double step_ms;
};

/// Where a run comes from.
struct RunOrigin {
  std::vector<std::string> command_line;  // as the user typed it, one word an element
  std::optional<Resumption> resumed = {};
  Json attempts = Json::array();  // that this run took before, the newest last
  std::vector<CutTrial> cut_trials = {};
};

class RunRecord {
 public:
  /// Writes run.json with the status `running`.
  RunRecord(std::string path, const Config& config, SimulationFacts facts, const RunOrigin& origin);
  /// Counts steps towards the totals.
  void add(std::span<const StepRecord> records);
  /// What logs lack, at once: it is not to be told again, whatever happens to this attempt.
  void note_missing_rows(const std::vector<std::string>& told);
  /// Of the last state: runs with equal fingerprints ended with the same bits.
  void note_fingerprint(std::uint64_t fingerprint);
  void note_audits(const AuditTally& tally);
  /// What an audit has found; `last_right`: the step of the last one that found nothing.
  void note_fault(const AuditFault& fault, std::int64_t last_right);
  /// Writes run.json for the last time. `message`: why a run stopped or failed; empty when it finished.
  void end(RunStatus status, const std::string& message);

 private:
  Json totals(double wall_seconds) const;
  void write() const;

  std::string path_;
  Descriptor room_;  // on the disk, given back for the last words: a full disk has room for them then
  Json json_ = Json::object();
  double cells_;
  std::chrono::steady_clock::time_point started_;
  std::int64_t step_ = 0;
  double time_ = 0;
  std::string fingerprint_;
  std::optional<AuditTally> audits_;
  std::vector<float> step_ms_;  // four bytes a step: a million steps stay small
};

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
  std::int64_t cut_y = 1;
};
PastRun read_past_run(const std::string& record);

/// Ends the record of an attempt that was killed before it could, or took its end for another one: its status
/// becomes `lost`. One that told so itself knows better why and is left as it is.
void note_lost_attempt(const std::string& record, const std::string& why);

}  // namespace tayra
