// A simulation from its start to its end, with everything that is due on the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/progress.hpp"
#include "app/schedule.hpp"
#include "io/config.hpp"
#include "io/diagnostics_log.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"
#include "io/snapshot.hpp"
#include "io/timings_log.hpp"

namespace tayra {

/// How a run ended, and why when it didn't finish.
struct RunOutcome {
  RunStatus status;
  std::string message;
};

class RunLoop {
 public:
  /// Starts the files in `directory`, which must exist.
  RunLoop(const Config& config, const Problem& problem, const RunDirectory& directory,
          Simulation& simulation);

  /// Ends early on a signal or when the flow breaks down.
  RunOutcome run(RunRecord& record, Progress& progress);

 private:
  std::vector<StepRecord> advance_batch();
  void log_steps(const std::vector<StepRecord>& steps, RunRecord& record);
  void write_due();
  void write_diagnostics();
  void write_snapshot();
  RunOutcome stopped(const std::string& signal);
  RunOutcome broken(const StepRecord& step);
  RunOutcome stuck() const;

  const Config& config_;
  RunDirectory directory_;
  Simulation& simulation_;
  TimingsLog timings_;
  DiagnosticsLog diagnostics_;
  SnapshotWriter snapshots_;
  Occasions diagnostics_due_;
  Occasions snapshots_due_;
  Pace pace_;
  double io_ms_ = 0;                 // since the last row of timings.csv
  std::uint64_t limited_faces_ = 0;  // since the last row of diagnostics.csv
  std::int64_t last_diagnostics_ = -1;
  std::int64_t last_snapshot_ = -1;
};

}  // namespace tayra
