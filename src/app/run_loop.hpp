// A simulation from its start to its end, with everything that is due on the way.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/progress.hpp"
#include "app/schedule.hpp"
#include "io/config.hpp"
#include "io/diagnostics_log.hpp"
#include "io/output_files.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"
#include "io/timings_log.hpp"
#include "solver/audit.hpp"

namespace tayra {

/// How a run ended, and why when it didn't finish.
struct RunOutcome {
  RunStatus status;
  std::string message;
};

/// The snapshots of the box or of one part of it, with their cadence.
struct SnapshotKind {
  std::string folder;  // in the run's directory
  Occasions due;
};

/// What the ranks that follow are told when all look for a signal.
inline constexpr const char* look_for_signal = "signal";
inline constexpr const char* note_mass = "note mass";
inline constexpr const char* begin_audit = "begin audit";
inline constexpr const char* end_audit = "end audit";

/// What a run works with.
struct RunParts {
  const Config& config;
  const Problem& problem;
  const RunDirectory& directory;
  Simulation& simulation;
  OutputFiles& files;
  Audit* audit = nullptr;  // if there is one
};

class RunLoop {
 public:
  /// Starts the files in the directory, which must exist, or goes on with them from `resumed`.
  RunLoop(const RunParts& run, const std::optional<Resumption>& resumed, RunRecord& record,
          Progress& progress);

  /// Ends early on a signal or when the flow breaks down.
  RunOutcome run();
  /// Writes files of this rank alone; with on_write_error: warn a failure is only told.
  void attempt_at_files(const std::function<void()>& write);

 private:
  bool attempt(const std::function<void()>& write);
  void warn_of_missing_rows(const Resumption& resumed);
  static std::string noted_signal();
  void write_start();
  std::vector<StepRecord> advance_batch();
  /// The part of `stretch` that ends before the next audited step, or is that step.
  Stretch shortened_by_audit(Stretch stretch);
  std::optional<AuditFault> fault_of_batch();
  void log_steps(const std::vector<StepRecord>& steps);
  void write_due();
  void write_diagnostics();
  void write_snapshot(std::size_t kind);
  void write_snapshots();
  void write_checkpoint();
  void write_waiting_rows();
  void sync_logs();
  void add_snapshots(const std::string& folder, const SnapshotSettings& settings);
  void tell_failures();
  /// What fails from now on is of the run's end.
  void begin_end();
  /// Whether all of the end could be written.
  bool write_end();
  std::vector<std::string> incomplete_logs() const;
  std::string what_is_missing() const;
  std::string advice_for_missing_rows() const;
  void finish_after_failure();
  std::string last_snapshot();
  RunOutcome stopped(const std::string& signal);
  RunOutcome broken(const StepRecord& step);
  RunOutcome stuck();
  RunOutcome unsaved();
  RunOutcome faulty(const AuditFault& fault);

  const Config& config_;
  RunDirectory directory_;
  Simulation& simulation_;
  OutputFiles& files_;
  Audit* audit_;
  TimingsLog timings_;
  std::optional<SlabTimingsLog> slab_timings_;  // of several slabs
  DiagnosticsLog diagnostics_;
  Occasions diagnostics_due_;
  std::vector<SnapshotKind> snapshots_;  // the first: of the whole box
  CheckpointOccasions checkpoints_due_;
  RunRecord& record_;
  Progress& progress_;
  Pace pace_;
  RunPosition position_;
  bool is_audited_ = false;  // the batch under way
  double io_ms_ = 0;         // since the last row of timings.csv
  std::int64_t last_checkpoint_ = -1;
  std::set<std::string> told_;
  std::int64_t lost_files_ = 0;
  std::int64_t lost_before_end_ = 0;
};

}  // namespace tayra
