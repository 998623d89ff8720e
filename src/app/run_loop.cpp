// Batches of steps between the things that are due.
#include "app/run_loop.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/bad_cell.hpp"
#include "app/signals.hpp"
#include "grid/ranks.hpp"
#include "grid/together.hpp"

namespace tayra {
namespace {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

}  // namespace

Standing operator|(const Standing& one, const Standing& other) {
  return {.signal = std::max(one.signal, other.signal),
          .has_failed = one.has_failed || other.has_failed,
          .wants_checkpoint = one.wants_checkpoint || other.wants_checkpoint,
          .wants_pictures = one.wants_pictures || other.wants_pictures,
          .time_is_up = one.time_is_up || other.time_is_up,
          .asked = one.asked | other.asked,
          .batch_seconds = std::max(one.batch_seconds, other.batch_seconds)};
}

RunLoop::RunLoop(const RunParts& run, const std::optional<Resumption>& resumed, RunRecord* record,
                 Progress& progress)
    : config_(run.config),
      begun_(run.begun),
      directory_(run.directory),
      requests_(directory_.path()),
      simulation_(run.simulation),
      files_(run.files),
      audit_(run.audit),
      diagnostics_due_(config_.diagnostics),
      checkpoints_due_(config_.checkpoints),
      pictures_due_(config_.pictures.every_seconds),
      record_(record),
      progress_(progress) {
  std::size_t groups = 0;
  for (StatisticsPart& part : statistics_parts(config_, run.problem)) {
    statistics_.push_back({part, groups, Occasions(part.cadence)});
    groups += part.groups.size();
  }
  if (resumed) {
    position_ = resumed->position;
    last_checkpoint_ = simulation_.step();
    diagnostics_due_.skip(simulation_.time());
    for (StatisticsKind& kind : statistics_) kind.due.skip(simulation_.time());
  }
  const auto folders = snapshot_folders(config_);
  on_first_rank([&] {
    requests_.remove(requests_.noted());  // of a run that is over
    if (resumed) files_.checkpoints().remove_older();
    logs_.emplace(directory_, config_, run.problem, simulation_.facts(), resumed);
    if (resumed) warn_of_missing_rows(*resumed);
    for (const std::string& note : config_.renamed) progress_.warn(note);
    for (const std::string& folder : folders) directory_.add_folder(folder);
    // Kinds that are written no more keep what they had.
    for (const auto& [folder, count] : position_.snapshots)
      if (!is_part_in_one_file(folder) && std::find(folders.begin(), folders.end(), folder) == folders.end())
        list_anew(directory_.folder(folder), count.written);
  });
  add_snapshots(folders[0], config_.snapshots);
  for (const PartSettings* part : parts_in_files(config_))
    add_snapshots(folders[snapshots_.size()], part->second);
  add_growing_parts();
}

void RunLoop::add_growing_parts() {
  for (const PartSettings* part : parts_in_one_file(config_)) {
    growing_parts_.push_back({part_key(part->first),
                              PartReader(SnapshotPlan(config_, part->second), simulation_),
                              Occasions(part->second.cadence)});
    growing_parts_.back().due.skip(simulation_.time());
  }
}

void RunLoop::warn_of_missing_rows(const Resumption& resumed) {
  const auto gaps = logs_->gaps(resumed);
  const auto& told = resumed.missing_rows_told;
  for (const std::string& one : gaps)
    if (std::find(told.begin(), told.end(), one) == told.end())
      progress_.warn(one +
                     " (it could not be written, or was cut short, edited or removed): the run goes on, its "
                     "log without them");
  if (!gaps.empty()) attempt([&] { record_->note_missing_rows(gaps); });
}

void RunLoop::add_snapshots(const std::string& folder, const SnapshotSettings& settings) {
  SnapshotCount& count = position_.snapshots[folder];
  const bool has_last =
      found_by_first_rank([&] { return files_.snapshots(snapshots_.size()).go_on_after(count.written); });
  // Writing the one of this step failed before with only a warning: it is written again.
  if (!has_last && count.last_step == simulation_.step()) count = {count.written - 1, -1};
  snapshots_.push_back({folder, Occasions(settings.cadence)});
  snapshots_.back().due.skip(simulation_.time());
}

RunOutcome RunLoop::run() {
  RunOutcome outcome = run_to_end();
  // What could be written the first rank alone knows.
  outcome.status = ranks().from_first(outcome.status);
  outcome.message = ranks().from_first(outcome.message);
  outcome.was_planned = ranks().from_first(outcome.was_planned ? 1 : 0) == 1;
  if (record_ != nullptr) write_alone([&] { record_->end(outcome.status, outcome.message); });
  settle();
  return outcome;
}

RunOutcome RunLoop::run_to_end() {
  if (audit_ != nullptr) audit_->note_mass();
  write_start();
  while (!is_over(config_.limits, simulation_.step(), simulation_.time())) {
    const Standing all = agree();
    if (all.signal != 0) return stopped("by " + name_of_stop_signal(all.signal));
    if (all.time_is_up) return out_of_time();
    if ((all.asked & request_stop) != 0) return stopped_as_asked();
    if (all.asked != 0) answer(all.asked);
    const auto steps = advance_batch();
    if (const auto fault = fault_of_batch()) return faulty(*fault);
    if (steps.empty()) return stuck();
    log_steps(steps);
    if (steps.back().bad_cell) return broken(steps.back());
    if (is_over(config_.limits, simulation_.step(), simulation_.time())) begin_end();
    write_due(all);
    progress_.update(steps.back().step, steps.back().time, steps.back().dt);
  }
  const bool is_saved = write_end();
  if (!is_saved && config_.checkpoints.keep > 0) return unsaved();
  return {RunStatus::finished, what_is_missing()};
}

Standing RunLoop::agree() {
  const Standing all =
      ranks().join(Standing{.signal = noted_stop_signal(),
                            .has_failed = failure_.has_value(),
                            .wants_checkpoint = checkpoints_due_.has_come(),
                            .wants_pictures = ranks().is_first() && pictures_due_.have_come(),
                            .time_is_up = time_is_up(),
                            .asked = ranks().is_first() ? requests_.noted() : 0,
                            .batch_seconds = batch_seconds_});
  if (all.has_failed) settle();
  pace_.learn(batch_steps_, all.batch_seconds);
  return all;
}

void RunLoop::settle() {
  do_together([&] {
    if (failure_) throw Error(*failure_);
  });
}

// A resumed run has its start behind it, unless it goes on from what `refine` made; but another cadence may
// fall on the state from which it goes on.
void RunLoop::write_start() {
  const bool is_start = position_.last_diagnostics < 0;
  const auto is_due = [&](const Occasions& due) {
    return is_start || due.fall_on(simulation_.step(), simulation_.time());
  };
  if (is_due(diagnostics_due_)) write_diagnostics();
  write_statistics(is_due);
  for (std::size_t kind = 0; kind < snapshots_.size(); ++kind)
    if (is_due(snapshots_[kind].due)) write_snapshot(kind);
  for (std::size_t part = 0; part < growing_parts_.size(); ++part)
    if (is_due(growing_parts_[part].due)) write_row(part);
}

// The steps up to the next thing that is due. Those behind a broken one are not flow and are left out.
std::vector<StepRecord> RunLoop::advance_batch() {
  const std::int64_t step = simulation_.step();
  Stretch stretch = stretch_to_end(config_.limits, step, pace_.steps());
  stretch = checkpoints_due_.shortened(diagnostics_due_.shortened(stretch, step), step);
  for (const auto& kind : statistics_) stretch = kind.due.shortened(stretch, step);
  for (const auto& kind : snapshots_) stretch = kind.due.shortened(stretch, step);
  for (const auto& part : growing_parts_) stretch = part.due.shortened(stretch, step);
  if (audit_ != nullptr) stretch = shortened_by_audit(stretch);
  const auto start = WallClock::now();
  simulation_.advance(stretch.steps, stretch.until);
  auto steps = simulation_.finish();
  batch_steps_ = static_cast<std::int64_t>(steps.size());
  batch_seconds_ = seconds_since(start);
  const auto broken =
      std::find_if(steps.begin(), steps.end(), [](const auto& s) { return s.bad_cell.has_value(); });
  if (broken != steps.end()) steps.erase(broken + 1, steps.end());
  return steps;
}

Stretch RunLoop::shortened_by_audit(Stretch stretch) {
  const std::int64_t every = *config_.audit_every_steps;
  const std::int64_t before_audited = every - 1 - simulation_.step() % every;
  is_audited_ = before_audited == 0;
  stretch.steps = is_audited_ ? 1 : std::min(stretch.steps, before_audited);
  if (!is_audited_) return stretch;
  audit_->before_step();
  return stretch;
}

std::optional<AuditFault> RunLoop::fault_of_batch() {
  if (!is_audited_) return std::nullopt;
  const auto fault = audit_->after_step();
  if (record_ == nullptr) return fault;
  record_->note_audits(audit_->tally());
  if (fault) record_->note_fault(*fault, audit_->last_right());
  return fault;
}

void RunLoop::log_steps(const std::vector<StepRecord>& steps) {
  if (record_ != nullptr) record_->add(steps);
  if (logs_) write_alone([&] { logs_->timings.append(timings_rows(steps, io_ms_)); });
  if (logs_ && logs_->slab_timings)
    write_alone([&] { logs_->slab_timings->append(slab_timings_rows(steps)); });
  io_ms_ = 0;
  for (const auto& step : steps) position_.limited_faces += static_cast<std::int64_t>(step.limited_faces);
}

// The checkpoint comes last: everything that is due at its step or before lies behind it.
void RunLoop::write_due(const Standing& all) {
  const auto start = WallClock::now();
  if (diagnostics_due_.take(simulation_.step(), simulation_.time())) write_diagnostics();
  write_statistics([&](Occasions& due) { return due.take(simulation_.step(), simulation_.time()); });
  for (std::size_t kind = 0; kind < snapshots_.size(); ++kind)
    if (snapshots_[kind].due.take(simulation_.step(), simulation_.time())) write_snapshot(kind);
  for (std::size_t part = 0; part < growing_parts_.size(); ++part)
    if (growing_parts_[part].due.take(simulation_.step(), simulation_.time())) write_row(part);
  if (all.wants_pictures) make_pictures();
  if (checkpoints_due_.take(simulation_.step(), all.wants_checkpoint)) write_checkpoint();
  files_.keep_up();
  tell_failures();
  io_ms_ += 1e3 * seconds_since(start);
}

void RunLoop::write_diagnostics() {
  if (position_.last_diagnostics == simulation_.step()) return;
  position_.last_diagnostics = simulation_.step();
  const auto sums = simulation_.plane_sums();
  if (logs_)
    write_alone([&] {
      BoxState& box = logs_->box;
      box.planes = sums;
      if (const auto books = simulation_.gravity_books()) {
        box.gravity = books->now;
        box.potential_energy = books->potential_energy;
      }
      box.limited_faces = static_cast<std::uint64_t>(position_.limited_faces);
      logs_->diagnostics.append(diagnostics_row(simulation_.step(), simulation_.time(), box));
    });
  position_.limited_faces = 0;
}

void RunLoop::write_statistics(const std::function<bool(Occasions&)>& is_due) {
  const bool has_rows = position_.last_statistics == simulation_.step();
  PlaneMeans means(simulation_);
  for (StatisticsKind& kind : statistics_) {
    if (!is_due(kind.due) || has_rows) continue;
    position_.last_statistics = simulation_.step();
    std::size_t group = kind.first_group;
    for (auto& row : kind.part.measure(simulation_, means)) {
      if (logs_)
        write_alone([&] {
          logs_->statistics->append(group, simulation_.step(), simulation_.time(), std::move(row));
        });
      ++group;
    }
  }
}

void RunLoop::write_snapshot(std::size_t kind) {
  SnapshotCount& count = position_.snapshots[snapshots_[kind].folder];
  if (count.last_step == simulation_.step()) return;
  files_.write_snapshot(kind, count.written);
  count = {count.written + 1, simulation_.step()};
}

void RunLoop::write_row(std::size_t part) {
  SnapshotCount& count = position_.snapshots[growing_parts_[part].key];
  if (count.last_step == simulation_.step()) return;
  count = {count.written + 1, simulation_.step()};
  auto row = growing_parts_[part].reader.row();
  if (logs_)
    write_alone(
        [&] { logs_->parts[part].append(0, simulation_.step(), simulation_.time(), std::move(row)); });
}

void RunLoop::make_pictures() {
  const auto start = WallClock::now();
  files_.make_pictures();
  pictures_due_.note_taken(seconds_since(start));
}

// Not where a failure stops the run: it would count rows and files that are missing.
void RunLoop::write_checkpoint() {
  if (config_.checkpoints.keep == 0 || last_checkpoint_ == simulation_.step()) return;
  write_logs_through();
  settle();
  if (audit_ != nullptr) files_.checkpoints().note_right(audit_->last_right());
  files_.write_checkpoint(position_);
  last_checkpoint_ = simulation_.step();
}

void RunLoop::write_logs_through() {
  write_waiting_rows();
  if (logs_) logs_->for_each([&](auto& log) { write_alone([&] { log.sync(); }); });
}

void RunLoop::write_waiting_rows() {
  if (logs_) logs_->for_each([&](auto& log) { write_alone([&] { log.write_waiting(); }); });
}

void RunLoop::begin_end() {
  files_.finish();
  tell_failures();
  settle();
  lost_before_end_ = lost_files_;
}

// The checkpoint comes first: a run that goes on from it cuts away what was written only because of the end.
bool RunLoop::write_end() {
  write_checkpoint();
  write_diagnostics();
  for (std::size_t kind = 0; kind < snapshots_.size(); ++kind) write_snapshot(kind);
  files_.finish();
  write_logs_through();
  if (logs_ && logs_->statistics) write_alone([&] { logs_->statistics->trim(); });
  if (logs_)
    for (PartFile& part : logs_->parts) write_alone([&] { part.trim(); });
  tell_failures();
  settle();
  const std::uint64_t fingerprint = fingerprint_of(simulation_.plane_sums());
  if (record_ != nullptr) record_->note_fingerprint(fingerprint);
  return lost_files_ == lost_before_end_ && incomplete_logs().empty();
}

// Every batch would say the same of a full disk: once is enough.
bool RunLoop::attempt(const std::function<void()>& write) {
  try {
    write();
    return true;
  } catch (const std::exception& failure) {
    const Error error = as_error(failure);
    const bool stops = config_.on_write_error == OnWriteError::stop || error.code() != ExitCode::failed;
    if (stops && !failure_) failure_ = error;
    if (!stops && told_.insert(error.what()).second) progress_.warn(error.what());
    return false;
  }
}

void RunLoop::write_alone(const std::function<void()>& write) {
  if (!failure_) attempt(write);
}

void RunLoop::tell_failures() {
  for (const std::string& failure : files_.pictures().take_failures())
    if (told_.insert(failure).second) progress_.warn(failure);
  for (const Error& failure : files_.take_failures())
    if (!attempt([&] { throw failure; })) {
      ++lost_files_;
      step_of_loss_ = simulation_.step();
    }
}

std::vector<std::string> RunLoop::incomplete_logs() {
  return logs_ ? logs_->incomplete() : std::vector<std::string>();
}

std::string RunLoop::what_is_missing() {
  std::vector<std::string> missing;
  if (lost_files_ > 0) missing.push_back(fmt::format("{} file{}", lost_files_, lost_files_ == 1 ? "" : "s"));
  for (const std::string& log : incomplete_logs()) missing.push_back("rows of " + log);
  if (missing.empty()) return "";
  return fmt::format("{} could not be written; see the warnings", fmt::join(missing, ", "));
}

// Rows that wait are gone with this process, and the newest checkpoint lies behind them.
std::string RunLoop::advice_for_missing_rows() {
  return incomplete_logs().empty() ? "" : ", or from one before the missing rows with --resume FILE";
}

bool RunLoop::time_is_up() const {
  return config_.limits.wall_minutes && seconds_since(begun_) >= 60 * *config_.limits.wall_minutes;
}

RunOutcome RunLoop::out_of_time() {
  return planned(stopped(fmt::format("after {} minutes (run.wall_minutes)", *config_.limits.wall_minutes)));
}

RunOutcome RunLoop::stopped_as_asked() {
  RunOutcome outcome = planned(stopped("as its file STOP asked"));
  if (ranks().is_first()) requests_.remove(request_stop);
  return outcome;
}

RunOutcome RunLoop::planned(RunOutcome outcome) {
  outcome.was_planned = last_checkpoint_ == simulation_.step() && what_is_missing().empty();
  return outcome;
}

void RunLoop::answer(unsigned asked) {
  if ((asked & request_snapshot) != 0)
    for (std::size_t kind = 0; kind < snapshots_.size(); ++kind) write_snapshot(kind);
  if ((asked & request_checkpoint) != 0) write_checkpoint();
  files_.finish();
  tell_failures();
  if (!ranks().is_first()) return;
  requests_.remove(asked);
  const bool has_none = (asked & request_checkpoint) != 0 && config_.checkpoints.keep == 0;
  const bool is_lost = step_of_loss_ == simulation_.step();
  progress_.note(fmt::format(
      "step {}: {}{}", simulation_.step(),
      is_lost ? "what was asked for, or a file before it, could not be written" : "wrote what was asked for",
      has_none ? "; no checkpoint, as output.checkpoints.keep is 0" : ""));
}

RunOutcome RunLoop::stopped(const std::string& why) {
  begin_end();
  const bool is_saved = write_end();
  return {RunStatus::stopped,
          fmt::format(
              "stopped {} at step {}, time {:.6g}; {} in {}{}", why, simulation_.step(), simulation_.time(),
              is_saved ? "results up to there are" : "not all results up to there could be written",
              directory_.path(),
              config_.checkpoints.keep > 0 ? ": go on with --resume" + advice_for_missing_rows() : "")};
}

// `failed`, since --resume goes on only with a run that has not finished, and then writes the end once more.
// Not without checkpoints: --resume would begin anew, over these results.
RunOutcome RunLoop::unsaved() {
  return {
      RunStatus::failed,
      fmt::format("reached its end at step {}, time {:.6g}, but could not write all results to {} (see the "
                  "warnings): fix the cause, then go on from the newest checkpoint with --resume{}",
                  simulation_.step(), simulation_.time(), directory_.path(), advice_for_missing_rows())};
}

// Why the flow failed matters more than files that could not be written.
void RunLoop::finish_after_failure() {
  write_waiting_rows();
  files_.finish();
  auto failures = files_.take_failures();
  if (failure_) failures.push_back(*failure_);
  failure_.reset();
  for (const Error& failure : failures)
    if (told_.insert(failure.what()).second) progress_.warn(failure.what());
}

std::string RunLoop::last_snapshot() {
  const std::string last = files_.snapshots(0).last();
  return last.empty() ? "none was written" : last;
}

RunOutcome RunLoop::stuck() {
  finish_after_failure();
  return {
      RunStatus::failed,
      fmt::format("no step is possible from step {}, time {:.6g} (the time step is zero or not a number): "
                  "check the last snapshot: {}",
                  simulation_.step(), simulation_.time(), last_snapshot())};
}

RunOutcome RunLoop::faulty(const AuditFault& fault) {
  finish_after_failure();
  return {RunStatus::lost,
          fmt::format("the audit of step {} has found an error: {}. Nothing of this step or later was "
                      "written: {}",
                      simulation_.step(), fault.what,
                      config_.checkpoints.keep > 0
                          ? fmt::format("go on with --resume, which puts checkpoints after step {} aside",
                                        audit_->last_right())
                          : "start again, and keep checkpoints")};
}

RunOutcome RunLoop::broken(const StepRecord& step) {
  finish_after_failure();
  return {RunStatus::failed,
          fmt::format("{}last good snapshot: {}", describe_bad_cell(simulation_, config_.solver, step),
                      last_snapshot())};
}

}  // namespace tayra
