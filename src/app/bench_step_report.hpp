// What `tayra bench step` found: as a table on the screen, as rows of its file.
#pragma once

#include <string>

#include "app/step_timing.hpp"
#include "io/json.hpp"

namespace tayra {

struct StepBenchmark {
  std::string device;
  double copy_bandwidth;  // bytes a second
  StepTimingPlan plan;
};

std::string heading(const StepBenchmark& benchmark);
std::string table_header();
std::string table_row(const StepTiming& timing, double copy_bandwidth);
std::string skipped_row(const SolverSettings& settings);

Json case_json(const SolverSettings& settings);
Json row_json(const StepTiming& timing, double copy_bandwidth);

}  // namespace tayra
