// A simulation from its start to its end, with everything that is due on the way.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/progress.hpp"
#include "app/requests.hpp"
#include "app/run_logs.hpp"
#include "app/schedule.hpp"
#include "core/error.hpp"
#include "io/config.hpp"
#include "io/output_files.hpp"
#include "io/part_file.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"
#include "io/statistics.hpp"
#include "solver/audit.hpp"

namespace tayra {

/// How a run ended, and why when it didn't finish.
struct RunOutcome {
  RunStatus status;
  std::string message;
  bool was_planned = false;  // though the flow may go on
};

/// The snapshots of the box or of one part of it, with their cadence.
struct SnapshotKind {
  std::string folder;  // in the run's directory
  Occasions due;
};

/// A part of the box in one file, with its cadence.
struct GrowingPart {
  std::string key;  // of how far it has come
  PartReader reader;
  Occasions due;
};

/// Rows of statistics.h5 that are due together.
struct StatisticsKind {
  StatisticsPart part;
  std::size_t first_group;  // of the file
  Occasions due;
};

/// What a rank has to say before each batch; merged, what all go by.
struct Standing {
  int signal = 0;                 // that asked it to stop
  bool has_failed = false;        // at something that stops the run
  bool wants_checkpoint = false;  // by its clock
  bool wants_pictures = false;    // by the first rank's
  bool time_is_up = false;        // on the wall
  unsigned asked = 0;             // by files: Request
  double batch_seconds = 0;       // that the last batch took
};
Standing operator|(const Standing& one, const Standing& other);

/// What a run works with.
struct RunParts {
  const Config& config;
  const Problem& problem;
  const RunDirectory& directory;
  Simulation& simulation;
  OutputFiles& files;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  Audit* audit = nullptr;  // if there is one
};

/// Every rank runs one, and takes the same way: what it goes by are the flow, the config and what all ranks
/// agree on. Only the first rank has logs and a record.
class RunLoop {
 public:
  /// Starts the files in the directory, which must exist, or goes on with them from `resumed`.
  RunLoop(const RunParts& run, const std::optional<Resumption>& resumed, RunRecord* record,
          Progress& progress);

  /// Ends early on a signal or when the flow breaks down. The same outcome on all ranks.
  RunOutcome run();

 private:
  RunOutcome run_to_end();
  Standing agree();
  /// Throws on all ranks what has stopped one.
  void settle();
  /// False where it failed, which is told or, if it stops the run, noted until all ranks agree on it.
  bool attempt(const std::function<void()>& write);
  /// Attempts it, unless something has failed already that stops the run.
  void write_alone(const std::function<void()>& write);
  void warn_of_missing_rows(const Resumption& resumed);
  void write_start();
  std::vector<StepRecord> advance_batch();
  /// The part of `stretch` that ends before the next audited step, or is that step.
  Stretch shortened_by_audit(Stretch stretch);
  std::optional<AuditFault> fault_of_batch();
  void log_steps(const std::vector<StepRecord>& steps);
  void write_due(const Standing& all);
  void write_diagnostics();
  /// Of the kinds that are due.
  void write_statistics(const std::function<bool(Occasions&)>& is_due);
  void write_snapshot(std::size_t kind);
  void write_row(std::size_t part);
  void make_pictures();
  void write_checkpoint();
  void write_waiting_rows();
  void write_logs_through();
  void add_snapshots(const std::string& folder, const SnapshotSettings& settings);
  void add_growing_parts();
  void tell_failures();
  /// What fails from now on is of the run's end.
  void begin_end();
  /// Whether all of the end could be written.
  bool write_end();
  std::vector<std::string> incomplete_logs();
  std::string what_is_missing();
  std::string advice_for_missing_rows();
  void finish_after_failure();
  std::string last_snapshot();
  bool time_is_up() const;
  RunOutcome out_of_time();
  RunOutcome stopped_as_asked();
  RunOutcome planned(RunOutcome outcome);
  void answer(unsigned asked);
  RunOutcome stopped(const std::string& why);
  RunOutcome broken(const StepRecord& step);
  RunOutcome stuck();
  RunOutcome unsaved();
  RunOutcome faulty(const AuditFault& fault);

  const Config& config_;
  const std::chrono::steady_clock::time_point begun_;
  RunDirectory directory_;
  Requests requests_;
  Simulation& simulation_;
  OutputFiles& files_;
  Audit* audit_;
  std::optional<RunLogs> logs_;
  Occasions diagnostics_due_;
  std::vector<StatisticsKind> statistics_;
  std::vector<SnapshotKind> snapshots_;  // the first: of the whole box
  std::vector<GrowingPart> growing_parts_;
  CheckpointOccasions checkpoints_due_;
  PictureOccasions pictures_due_;
  RunRecord* record_;
  Progress& progress_;
  Pace pace_;
  RunPosition position_;
  std::int64_t batch_steps_ = 0;  // of the last batch
  double batch_seconds_ = 0;
  bool is_audited_ = false;  // the batch under way
  double io_ms_ = 0;         // since the last row of timings.csv
  std::int64_t last_checkpoint_ = -1;
  std::optional<Error> failure_;  // that stops the run
  std::set<std::string> told_;
  std::int64_t lost_files_ = 0;
  std::int64_t lost_before_end_ = 0;
  std::int64_t step_of_loss_ = -1;  // at which the last of them was heard of
};

}  // namespace tayra
