// Batches of steps between the things that are due.
#include "app/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "app/bad_cell.hpp"
#include "app/signals.hpp"

namespace tayra {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

RunLoop::RunLoop(const Config& config, const Problem& problem, const RunDirectory& directory,
                 Simulation& simulation)
    : config_(config),
      directory_(directory),
      simulation_(simulation),
      timings_(directory.timings()),
      diagnostics_(directory.diagnostics(), config.solver.grid, config.solver.gravity, problem.layers()),
      snapshots_(config, directory.snapshots()),
      diagnostics_due_(config.diagnostics),
      snapshots_due_(config.snapshots.cadence) {}

RunOutcome RunLoop::run(RunRecord& record, Progress& progress) {
  write_diagnostics();
  write_snapshot();
  while (!is_over(config_.limits, simulation_.step(), simulation_.time())) {
    if (const std::string signal = stop_signal(); !signal.empty()) return stopped(signal);
    const auto steps = advance_batch();
    if (steps.empty()) return stuck();
    log_steps(steps, record);
    if (steps.back().bad_cell) return broken(steps.back());
    write_due();
    progress.update(steps.back().step, steps.back().time, steps.back().dt);
  }
  write_diagnostics();
  write_snapshot();
  record.note_fingerprint(fingerprint_of(simulation_.plane_sums()));
  return {RunStatus::finished, ""};
}

// The steps up to the next thing that is due. Those behind a broken one are not flow and are left out.
std::vector<StepRecord> RunLoop::advance_batch() {
  const std::int64_t step = simulation_.step();
  Stretch stretch = stretch_to_end(config_.limits, step, pace_.steps());
  stretch = diagnostics_due_.shortened(snapshots_due_.shortened(stretch, step), step);
  const auto start = Clock::now();
  simulation_.advance(stretch.steps, stretch.until);
  auto steps = simulation_.finish();
  pace_.learn(static_cast<std::int64_t>(steps.size()), seconds_since(start));
  const auto broken =
      std::find_if(steps.begin(), steps.end(), [](const auto& s) { return s.bad_cell.has_value(); });
  if (broken != steps.end()) steps.erase(broken + 1, steps.end());
  return steps;
}

void RunLoop::log_steps(const std::vector<StepRecord>& steps, RunRecord& record) {
  timings_.append(steps, io_ms_);
  io_ms_ = 0;
  record.add(steps);
  for (const auto& step : steps) limited_faces_ += step.limited_faces;
}

void RunLoop::write_due() {
  const auto start = Clock::now();
  if (diagnostics_due_.take(simulation_.step(), simulation_.time())) write_diagnostics();
  if (snapshots_due_.take(simulation_.step(), simulation_.time())) write_snapshot();
  io_ms_ += 1e3 * seconds_since(start);
}

void RunLoop::write_diagnostics() {
  if (last_diagnostics_ == simulation_.step()) return;
  last_diagnostics_ = simulation_.step();
  diagnostics_.append(simulation_.step(), simulation_.time(), simulation_.plane_sums(), limited_faces_);
  limited_faces_ = 0;
}

void RunLoop::write_snapshot() {
  if (last_snapshot_ == simulation_.step()) return;
  last_snapshot_ = simulation_.step();
  snapshots_.write(simulation_);
}

RunOutcome RunLoop::stopped(const std::string& signal) {
  write_diagnostics();
  write_snapshot();
  return {RunStatus::stopped,
          fmt::format("stopped by {} at step {}, time {:.6g}; results up to there are in {}", signal,
                      simulation_.step(), simulation_.time(), directory_.path())};
}

RunOutcome RunLoop::stuck() const {
  return {RunStatus::failed,
          fmt::format(
              "no step is possible from step {}, time {:.6g} (the time step is zero or no number): check the "
              "start in {}",
              simulation_.step(), simulation_.time(), snapshots_.last())};
}

RunOutcome RunLoop::broken(const StepRecord& step) {
  return {RunStatus::failed,
          fmt::format("{}last good snapshot: {}", describe_bad_cell(simulation_, config_.solver, step),
                      snapshots_.last())};
}

}  // namespace tayra
