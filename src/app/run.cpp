// Config, simulation, directory, loop: nothing is written before the first two are good.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <sstream>

#include "app/commands.hpp"
#include "app/estimate.hpp"
#include "app/needs.hpp"
#include "app/options.hpp"
#include "app/resume.hpp"
#include "app/run_config.hpp"
#include "app/run_loop.hpp"
#include "app/signals.hpp"
#include "app/units.hpp"
#include "core/printable.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"
#include "grid/watchdog.hpp"
#include "io/file.hpp"
#include "io/run_lock.hpp"
#include "io/run_record.hpp"
#include "solver/halo_choice.hpp"
#include "solver/placement.hpp"

namespace tayra {
namespace {

// run.json tells how the run ended even when a file cannot be opened or written on the way. Where it can't be
// written either, the first error is the one worth telling.
RunOutcome run_recorded(const RunParts& run, const std::optional<Resumption>& resumed, RunRecord* record,
                        Progress& progress) {
  try {
    return RunLoop(run, resumed, record, progress).run();
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    try {
      const bool is_lost = error.code() == ExitCode::lost;
      if (record != nullptr) record->end(is_lost ? RunStatus::lost : RunStatus::failed, error.what());
    } catch (const Error&) {
    }
    throw;
  }
}

/// Every rank reads the file itself; on several nodes it need not be the same one.
void require_same_config(const Config& config) {
  const std::string text = ranks().from_first(config.resolved_yaml);
  do_together([&] {
    std::istringstream first(text), other(config.resolved_yaml);
    std::string of_first, of_other;
    while (of_first == of_other && (std::getline(first, of_first) || other))
      if (!std::getline(other, of_other)) of_other.clear();
    require(of_first == of_other, ExitCode::bad_input,
            fmt::format("{}: rank {} reads another config than rank 0 ('{}', not '{}'): give every rank the "
                        "same file and options",
                        config.file, ranks().rank(), of_other, of_first));
  });
}

// The directory is then ready for the run.
std::optional<Resumption> prepare(const RunOptions& options, const Config& config,
                                  const RunDirectory& directory, OutputFiles& files, Progress& progress) {
  if (options.resume)
    return resume_run(*options.resume, config, directory, files,
                      [&](const std::string& line) { progress.note(line); });
  on_first_rank(
      [&] { directory.create(options.force ? ExistingResults::replace : ExistingResults::refuse); });
  return std::nullopt;
}

bool fits(const Config& config) {
  try {
    require_fit(config);
    return true;
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_input) throw;
    return false;
  }
}

bool may_stay_uncut(Config config) {
  SolverSettings& uncut = config.solver;
  uncut.cut_y = 1;
  return is_possible_cut(uncut, 1) && (!config.audit_every_steps || has_auditable_planes(uncut)) &&
         holds_on_all_ranks(fits(config));
}

/// Whether a cut along y pays is known only when steps have been taken with it and without. Nothing where
/// there is no choice.
std::vector<CutTrial> try_cuts(Config config, const Problem& problem) {
  const int likely = config.solver.cut_y;
  std::vector<CutTrial> trials;
  if (config.cut_y || likely == 1 || !may_stay_uncut(config)) return trials;
  // Trials may go on for longer than its course.
  if (config.solver.gravity_course.varies())
    config.solver.gravity_course = {.table = {{0, config.solver.gravity}}};
  for (const int cut : {1, likely}) {
    config.solver.cut_y = cut;
    do_together([&] { require_fit(config); });
    trials.push_back({cut, time_of_steps(*make_simulation(config.solver, problem)).step_ms});
  }
  return trials;
}

/// No cut, unless one gains more than what a trial's clocks differ by.
int best_cut(const std::vector<CutTrial>& trials) {
  constexpr double gains = 0.99;
  return trials.back().step_ms < gains * trials.front().step_ms ? trials.back().cut_y : trials.front().cut_y;
}

std::string cut_text(const std::vector<CutTrial>& trials, int chosen) {
  return fmt::format("cut along y: {} (auto; a step took {:.3g} ms without, {:.3g} ms with {} side by side)",
                     chosen, trials.front().step_ms, trials.back().step_ms, trials.back().cut_y);
}

std::string audits_text(const AuditTally& tally) {
  return fmt::format("audits: {} planes of {} steps were computed once more, in {}", tally.planes,
                     tally.steps, duration_text(tally.seconds));
}

ProgressStyle style_of(const RunOptions& options) {
  if (!ranks().is_first()) return ProgressStyle::silent;
  if (options.quiet) return ProgressStyle::quiet;
  return ranks().size() > 1 ? ProgressStyle::log  // mpirun's terminal may well be a file
                            : progress_style_of(stdout);
}

RunOutcome run_into(const RunParts& run, const RunOptions& options, const std::vector<CutTrial>& cut_trials) {
  const auto& [config, problem, directory, simulation, files, begun, audit] = run;
  const Doing doing(Phase::at_files);  // where the simulation is not at work
  Progress progress(config, style_of(options));
  RunOrigin origin{.command_line = command_words(), .cut_trials = cut_trials};
  if (options.resume)
    on_first_rank([&] { origin.attempts = read_past_run(run.directory.record()).attempts; });
  origin.resumed = prepare(options, config, directory, files, progress);
  if (origin.resumed && origin.resumed->is_finished) return {RunStatus::finished, ""};
  std::optional<RunRecord> record;  // the first rank's
  on_first_rank([&] {
    write_text_file(run.directory.config(), run.config.resolved_yaml);
    record.emplace(run.directory.record(), run.config, run.simulation.facts(), origin);
  });
  ranks().watchdog().set_last_act([path = directory.record()](const std::string& reason) {
    if (read_past_run(path).status == name_of(RunStatus::running)) note_lost_attempt(path, reason);
  });
  progress.show_start(simulation.facts(), simulation.step(), simulation.time());
  if (!cut_trials.empty()) progress.note(cut_text(cut_trials, config.solver.cut_y));
  if (!origin.resumed)
    on_first_rank([&] {
      for (const auto& [what, doubt] : doubts_about(config, problem)) progress.advise(doubt);
    });
  const RunOutcome outcome = run_recorded(run, origin.resumed, record ? &*record : nullptr, progress);
  if (audit != nullptr) progress.note(audits_text(audit->tally()));
  if (outcome.was_planned) progress.note(outcome.message);
  progress.show_end(simulation.step(), simulation.time(), directory.path());
  return outcome;
}

/// Held until all that waits to be written has been.
void lock_directory(const RunDirectory& directory, const RunOptions& options, std::optional<RunLock>& lock) {
  // A run that was killed may take a while to end, with much memory to give back.
  const std::chrono::seconds timeout(options.resume ? 10 : 0);
  const auto say_waiting = [&] {
    if (!options.quiet)
      fmt::print(stderr, "tayra: a run is still under way in {}: waiting up to {} s for its end\n",
                 printable(directory.path()), timeout.count());
  };
  on_first_rank([&] { lock.emplace(directory.path(), timeout, say_waiting); });
}

/// What follows from other keys stays as it is in a run that goes on.
Config config_of(const RunOptions& options) {
  Config config = load_run_config(options);
  if (!options.resume) return config;
  return load_run_config(options, found_by_first_rank([&] {
                           return config_to_continue(*options.resume, RunDirectory(config.output_directory));
                         }));
}

}  // namespace

void run_config(const RunOptions& options) {
  const auto begun = std::chrono::steady_clock::now();
  Config config = config_of(options);
  require_same_config(config);
  const auto problem = make_problem(config);
  const RunDirectory directory(config.output_directory);
  const bool may_exist = options.force || options.resume;
  on_first_rank([&] {
    directory.require_apart(options.config.file);
    // Before check(): a user told only of existing results might --force a run that is still under way.
    if (!may_exist) require_not_under_way(directory.path());
    directory.check(may_exist ? ExistingResults::replace : ExistingResults::refuse);
    if (options.resume) require_checkpoint_named(*options.resume);
    require_numbers_hold(config, *problem);
  });
  const auto cut_trials = try_cuts(config, *problem);
  if (!cut_trials.empty()) config.solver.cut_y = best_cut(cut_trials);
  do_together([&] { require_fit(config); });
  auto simulation = make_simulation(config.solver, *problem);
  std::unique_ptr<Audit> audit;
  if (config.audit_every_steps)
    do_together([&] { audit = std::make_unique<Audit>(config.solver, *problem, *simulation); });
  do_together([&] { require_room_for_output(config); });
  note_stop_signals();
  std::optional<RunLock> lock;
  lock_directory(directory, options, lock);
  const HeldDirectory held(directory.path());
  OutputFiles files(config, directory, *simulation);
  const RunOutcome outcome = end_here_unless_all_fail([&] {
    return run_into({config, *problem, directory, *simulation, files, begun, audit.get()}, options,
                    cut_trials);
  });
  require(outcome.status == RunStatus::finished || outcome.was_planned,
          outcome.status == RunStatus::lost ? ExitCode::lost : ExitCode::failed, outcome.message);
}

void add_run_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run what a config describes");
  add_run_options(*command, *options);
  command->callback([options] { run_config(*options); });
}

}  // namespace tayra
