// What `tayra bench step` found: as a table on the screen, as CSV, as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/step_timing.hpp"

namespace tayra {

struct StepBenchmark {
  std::string device;
  int threads;            // of the CPU
  double copy_bandwidth;  // bytes a second
  StepTimingPlan plan;
  std::vector<StepTiming> timings = {};
  std::vector<SolverSettings> skipped = {};  // for want of memory
};

std::string heading(const StepBenchmark& benchmark);
std::string table_header();
std::string table_row(const StepTiming& timing, double copy_bandwidth);
std::string skipped_row(const SolverSettings& settings);

std::string as_csv(const StepBenchmark& benchmark);
std::string as_json(const StepBenchmark& benchmark);

}  // namespace tayra
