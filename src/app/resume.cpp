// The newest checkpoint that is whole, or a start from the beginning where none was ever written.
#include "app/resume.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <vector>

#include "app/schedule.hpp"
#include "grid/together.hpp"
#include "io/checkpoint.hpp"
#include "io/file.hpp"
#include "io/run_record.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

/// As a run has left it; nothing where it can't be read.
std::optional<std::string> config_in(const RunDirectory& directory) {
  constexpr std::size_t largest = 1 << 20;  // resolved, one of the most parts has half of it
  try {
    const auto text = text_of_small_file(directory.config(), largest);
    return text && parse_yaml(*text, [](int) { return ""; }).value_or(YamlNode()).is_section() ? text
                                                                                               : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// A run that was killed before its first checkpoint may start again in its place; any other results stay.
void require_restartable(const Config& config, const RunDirectory& directory) {
  const auto before = config_in(directory);
  const std::string status = read_past_run(directory.record()).status;
  const auto refuse_if = [&](bool holds, const std::string& what, const std::string& or_else) {
    require(!holds, ExitCode::bad_input,
            fmt::format("{} holds {}: choose another directory with --output{}", directory.path(), what,
                        or_else));
  };
  constexpr const char* or_replace = ", or replace it with --force instead of --resume";
  refuse_if(status == name_of(RunStatus::finished) || status == name_of(RunStatus::stopped),
            "a " + status + " run without a checkpoint", or_replace);
  // One that was killed leaves a whole run.json, or none yet.
  const bool is_lost = status == name_of(RunStatus::running) || status == name_of(RunStatus::lost) ||
                       status == name_of(RunStatus::failed);
  refuse_if(
      !is_lost && fs::exists(fs::symlink_status(directory.record())),
      "the results of a run whose run.json does not tell how it ended (it is damaged), and no checkpoint",
      or_replace);
  refuse_if(!before && fs::exists(directory.config()),
            "the results of a run whose config.yaml cannot be read", or_replace);
  if (!before) return;
  const auto differing = differing_keys(*before, config.flow_yaml);
  refuse_if(!differing.empty(),
            fmt::format("another run, without a checkpoint ({})", fmt::join(differing, "; ")), "");
}

/// Where this run ended, if it has finished.
std::optional<StepClock> end_without_checkpoint(const Config& config, const RunDirectory& directory) {
  const auto before = config_in(directory);
  const PastRun past = read_past_run(directory.record());
  if (!before || past.status != name_of(RunStatus::finished) ||
      !differing_keys(*before, config.flow_yaml).empty())
    return std::nullopt;
  return past.end;
}

Resumption nothing_left(Resumption resumed, const RunDirectory& directory, const Tell& tell) {
  tell(directory.path() + " holds this run, which has finished: nothing is left to do");
  resumed.is_finished = true;
  return resumed;
}

void start_anew(const Config& config, const RunDirectory& directory, const Tell& tell) {
  on_first_rank([&] {
    if (directory.has_results()) require_restartable(config, directory);
    directory.create(ExistingResults::replace);
  });
  tell(fmt::format("no checkpoint in {}: starting from the beginning", directory.checkpoints()));
}

Resumption load_newest(const std::vector<std::string>& newest_first, OutputFiles& files, const Tell& tell) {
  std::vector<std::string> damages;
  for (const std::string& file : newest_first) try {
      return {.checkpoint = file, .position = files.load_checkpoint(file)};
    } catch (const DamagedCheckpoint& damage) {
      tell(fmt::format("skipping a checkpoint: {}", damage.what()));
      damages.emplace_back(damage.what());
    }
  throw DamagedCheckpoint(ExitCode::failed,
                          fmt::format("no checkpoint is intact ({}): name another one with --resume FILE, or "
                                      "start again with --force",
                                      fmt::join(damages, "; ")));
}

bool can_be_opened(const std::string& checkpoint) {
  try {
    CheckpointFile(checkpoint).require_parts();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Later checkpoints that were skipped or cannot be opened: they may be whole.
std::vector<std::string> doubtful_after(std::int64_t step, const std::vector<std::string>& newest_first,
                                        const RunDirectory& directory) {
  std::vector<std::string> doubtful;
  for (const std::string& file : checkpoints_in(directory.checkpoints())) {
    const bool was_tried = std::find(newest_first.begin(), newest_first.end(), file) != newest_first.end();
    if (step_of_checkpoint(file) > step && (was_tried || !can_be_opened(file))) doubtful.push_back(file);
  }
  return doubtful;
}

/// Says where it is kept, which `why` is not gone on from.
std::string put_aside(const std::string& checkpoint, const char* why) {
  return fmt::format("{}, which {}, is kept as {}: remove it when it is no longer needed", checkpoint, why,
                     move_to_damaged(checkpoint));
}

/// Removes what came after the step, but for what is doubtful: that is moved, and last, so that whoever is
/// killed before goes on here once more.
std::vector<std::string> cut_back(const RunDirectory& directory, const RunPosition& position,
                                  const std::vector<std::string>& doubtful) {
  std::map<std::string, std::int64_t> snapshots;
  for (const auto& [folder, count] : position.snapshots) snapshots[folder] = count.written;
  std::set<std::int64_t> spared;
  for (const std::string& file : doubtful) spared.insert(step_of_checkpoint(file));
  directory.cut_back(snapshots, position.clock.step, spared);
  std::vector<std::string> told;
  for (const std::string& file : doubtful) told.push_back(put_aside(file, "could not be read"));
  return told;
}

/// What was computed after the last right audit may hold the error that the next one has found.
std::vector<std::string> put_aside_doubtful(const RunDirectory& directory) {
  const PastRun past = read_past_run(directory.record());
  const std::int64_t right = past.last_right_audit;
  const auto all = checkpoints_in(directory.checkpoints());
  const bool goes_on = !all.empty() && step_of_checkpoint(all.back()) <= right;
  require(all.empty() || goes_on || past.from_step < 0, ExitCode::bad_input,
          fmt::format("all checkpoints in {} are of steps after {} and may hold the error that an audit has "
                      "found: name another one with --resume FILE, or start again with --force",
                      directory.checkpoints(), right));
  std::vector<std::string> told;
  for (const std::string& file : all)
    if (step_of_checkpoint(file) > right)
      told.push_back(put_aside(file, "may hold the error that an audit has found"));
  return told;
}

/// Where the run in the directory ended, if it has finished and its newest checkpoint is the one that was
/// loaded.
std::optional<StepClock> end_of_finished_run(const RunDirectory& directory, const StepClock& loaded) {
  const auto all = checkpoints_in(directory.checkpoints());
  const bool is_newest = !all.empty() && step_of_checkpoint(all.front()) == loaded.step;
  const PastRun past = read_past_run(directory.record());
  if (!is_newest || past.status != name_of(RunStatus::finished)) return std::nullopt;
  return past.end.value_or(loaded);
}

bool lies_in(const std::string& file, const std::string& folder) {
  std::error_code missing;
  return fs::equivalent(fs::absolute(file).parent_path(), folder, missing);
}

/// The newest first. A checkpoint of another run may begin a new directory only.
std::vector<std::string> checkpoints_to_try(const std::string& file, const RunDirectory& directory) {
  if (file.empty()) return checkpoints_in(directory.checkpoints());
  if (!lies_in(file, directory.checkpoints()))
    directory.check(ExistingResults::refuse, "choose another directory with --output");
  return {file};
}

}  // namespace

void require_not_past(const RunLimits& limits, const std::string& checkpoint, const StepClock& clock,
                      const char* named_by) {
  const auto past = [&](const std::string& key, auto end, const char* unit, auto now) {
    throw Error(
        ExitCode::bad_input,
        fmt::format("{} is at {} {}, past {} {}: set a later end, or name an earlier checkpoint as {}",
                    checkpoint, unit, now, key, end, named_by));
  };
  if (limits.steps && clock.step > *limits.steps) past("run.steps", *limits.steps, "step", clock.step);
  if (limits.time && clock.time > *limits.time && !is_reached(*limits.time, clock.time))
    past("run.time", *limits.time, "time", clock.time);
}

bool is_there(const std::string& path, const std::string& name) {
  std::error_code unreadable;
  const bool exists = fs::exists(path, unreadable);
  require(!unreadable, ExitCode::bad_input,
          name + ": can't be read (" + unreadable.message() + "): name another checkpoint");
  return exists;
}

void require_checkpoint_named(const std::string& file) {
  require(file.empty() || is_there(file, "--resume " + file), ExitCode::bad_input,
          "--resume " + file + ": no such file: name a checkpoint, or leave it out for the newest one");
  require(
      !fs::is_directory(file), ExitCode::bad_input,
      "--resume " + file + ": is a directory: name a checkpoint, such as those of a run in its checkpoints/");
  const std::string other = file.empty() ? "" : other_than_checkpoint(file);
  require(other.empty(), ExitCode::bad_input,
          "--resume " + file + ": is " + other +
              ": name a checkpoint, such as those of a run in its checkpoints/");
}

std::string config_to_continue(const std::string& file, const RunDirectory& directory) {
  const auto candidates = file.empty() ? checkpoints_in(directory.checkpoints()) : std::vector{file};
  for (const std::string& candidate : candidates) try {
      return CheckpointFile(candidate).head().config;
    } catch (const Error&) {  // resume_run() tells of it
    }
  const auto before = config_in(directory);
  return before && file.empty() ? *before : "";
}

std::optional<Resumption> resume_run(const std::string& file, const Config& config,
                                     const RunDirectory& directory, OutputFiles& files, const Tell& tell) {
  if (file.empty())
    for (const std::string& one : found_by_first_rank([&] { return put_aside_doubtful(directory); }))
      tell(one);
  const auto candidates = found_by_first_rank([&] { return checkpoints_to_try(file, directory); });
  if (candidates.empty()) {
    if (const auto end = found_by_first_rank([&] { return end_without_checkpoint(config, directory); })) {
      require_not_past(config.limits, directory.path(), *end, "--resume FILE");
      if (is_over(config.limits, end->step, end->time)) return nothing_left({}, directory, tell);
    }
    start_anew(config, directory, tell);
    return std::nullopt;
  }
  Resumption resumed = load_newest(candidates, files, tell);
  const RunPosition& position = resumed.position;
  const std::string before = CheckpointFile(resumed.checkpoint).head().config;
  if (gravity_changes(before, config))
    tell(fmt::format("from here on with another gravity: {}",
                     fmt::join(differing_keys(before, config.flow_yaml), "; ")));
  const auto end = found_by_first_rank([&] {
    const PastRun past = read_past_run(directory.record());
    resumed.logs_begin = past.first.value_or(position.clock.step);
    resumed.missing_rows_told = past.missing_rows_told;
    return end_of_finished_run(directory, position.clock);
  });
  // A run that kept no checkpoint of its end is no less finished; who names one means that one.
  const bool ended_later = file.empty() && end && end->step > position.clock.step;
  const StepClock& reached = ended_later ? *end : position.clock;
  require_not_past(config.limits, ended_later ? directory.path() : resumed.checkpoint, reached,
                   "--resume FILE");
  if (end && is_over(config.limits, reached.step, reached.time))
    return nothing_left(resumed, directory, tell);
  const auto kept_aside = found_by_first_rank([&] {
    return cut_back(directory, position, doubtful_after(position.clock.step, candidates, directory));
  });
  for (const std::string& one : kept_aside) tell(one);
  tell(fmt::format("going on from {}: step {}, time {:.6g}", resumed.checkpoint, position.clock.step,
                   position.clock.time));
  return resumed;
}

}  // namespace tayra
