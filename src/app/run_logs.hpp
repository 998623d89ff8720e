// The logs of a run: one rank writes them for all.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "io/config.hpp"
#include "io/diagnostics_log.hpp"
#include "io/log_file.hpp"
#include "io/part_file.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"
#include "io/statistics_file.hpp"
#include "io/timings_log.hpp"

namespace tayra {

struct RunLogs {
  /// Starts them in the directory, which must exist, or goes on with them from `resumed`.
  RunLogs(const RunDirectory& directory, const Config& config, const Problem& problem,
          const SimulationFacts& facts, const std::optional<Resumption>& resumed);

  /// Calls act(file) for those that there are.
  template <class Act>
  void for_each(const Act& act) {
    act(timings);
    if (slab_timings) act(*slab_timings);
    act(diagnostics);
    if (statistics) act(*statistics);
    for (PartFile& part : parts) act(part);
  }
  /// The names of those with rows that could not be written yet.
  std::vector<std::string> incomplete();
  /// What the part of the run up to `resumed` should have written into them, in words.
  std::vector<std::string> gaps(const Resumption& resumed);

  BoxState box;  // but for its planes, which each row of diagnostics has of its own
  LogFile timings;
  std::optional<LogFile> slab_timings;  // of several slabs
  LogFile diagnostics;
  std::optional<StatisticsFile> statistics;  // where the config wants them, or an earlier part of the run did
  // Those that the config names, in its order, then those that an earlier part of the run had.
  std::deque<PartFile> parts;
};

}  // namespace tayra
