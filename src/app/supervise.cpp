// Starts a run again and again until it is done, can't be done, or gets no further.
#include "app/supervise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/run_command.hpp"
#include "app/watched_process.hpp"
#include "core/device.hpp"
#include "core/printable.hpp"
#include "io/checkpoint.hpp"
#include "io/run_directory.hpp"
#include "io/run_record.hpp"

namespace tayra {
namespace {

/// For a launcher that goes on after run.json has the run's end.
constexpr Grace grace_of_launcher{.to_wind_up = 20, .to_end = 5};

struct SuperviseOptions {
  std::vector<std::string> command;
  int tries = 5;
  int drop = 1;
  bool drops_gpus_that_err = false;
};

RunDirectory directory_of(const RunCommand& command) {
  const RunOptions& options = command.options();
  require(!options.resume || options.resume->empty(), ExitCode::bad_input,
          "--resume FILE can't be supervised (a second attempt must go on from its own checkpoints): start a "
          "branch with tayra run, then supervise it with --resume");
  // Its GPUs may be those of other hosts: the launcher knows.
  const Config config =
      load_config(options.config.file, overrides_with_any_cut(options.config), Devices::anywhere);
  require(config.checkpoints.keep > 0, ExitCode::bad_input,
          fmt::format("{}: output.checkpoints.keep is 0, and without checkpoints no run goes on: keep some",
                      config.file));
  return RunDirectory(config.output_directory);
}

/// That can be gone on from; empty: there is none.
std::string newest_checkpoint(const RunDirectory& directory) {
  for (const std::string& path : checkpoints_in(directory.checkpoints()))
    if (step_of_checkpoint(path) <= read_past_run(directory.record()).last_right_audit) return path;
  return "";
}

/// The run may well go on where that finds no room.
void try_to_note_lost_attempt(const RunDirectory& directory, const std::string& how) {
  try {
    note_lost_attempt(directory.record(), how);
  } catch (const Error& error) {
    fmt::print(stderr, "tayra supervise: cannot record the lost attempt: {}\n", printable(error.what()));
  }
}

/// The status that an attempt left; empty if it never got so far.
std::string status_left(const RunDirectory& directory, std::filesystem::file_time_type before) {
  std::error_code missing;
  return std::filesystem::last_write_time(directory.record(), missing) == before
             ? ""
             : read_past_run(directory.record()).status;
}

std::string describe(int code) {
  const int signal = code - 128;
  return signal > 0 && signal < NSIG
             ? fmt::format("exit code {}: killed by signal {}, {}", code, signal, strsignal(signal))
             : fmt::format("exit code {}", code);
}

class Supervisor {
 public:
  explicit Supervisor(const SuperviseOptions& options)
      : options_(options), command_(options.command), directory_(directory_of(command_)) {}

  void run() {
    while (!attempt()) {
    }
  }

 private:
  /// True once the run is done; throws when there is no going on.
  bool attempt() {
    std::error_code missing;
    const auto written = std::filesystem::last_write_time(directory_.record(), missing);
    const auto status_now = [&] { return status_left(directory_, written); };
    const auto is_over = [&] {
      const std::string now = status_now();
      return !now.empty() && now != name_of(RunStatus::running);
    };
    const WatchedEnd end = run_watched(command_.words(), is_over, grace_of_launcher);
    const std::string status = status_now();
    if (end.code == 0 || status == name_of(RunStatus::finished)) return true;  // the launcher may still fail
    if (!end.asked.empty() || !may_go_on(end.code, status, has_begun_)) give_up(end);
    ++attempts_;
    const bool has_begun = !status.empty();
    if (has_begun) try_to_note_lost_attempt(directory_, describe(end.code));
    has_begun_ = has_begun_ || has_begun;
    look_for_checkpoint();
    fruitless_ = has_begun && got_further() ? 0 : fruitless_ + 1;
    require(
        fruitless_ < options_.tries, ExitCode::lost,
        fmt::format("given up: {} attempts in a row wrote no new checkpoint{} (the last one ended with {})",
                    fruitless_, out_of_sight_.empty() ? "" : " that could be read (" + out_of_sight_ + ")",
                    describe(end.code)));
    if (has_begun && options_.drops_gpus_that_err) leave_out_gpu_that_erred();
    plan_next(end);
    return false;
  }

  /// Where none can be seen just now, a later look may see what was written.
  void look_for_checkpoint() {
    newest_ = out_of_sight_ = "";
    try {
      newest_ = newest_checkpoint(directory_);
    } catch (const Error& error) {
      out_of_sight_ = error.what();
    }
  }

  /// By steps, for clocks may be set back. One that it went on from had been read: later ones were damaged.
  bool got_further() const {
    return !newest_.empty() && step_of_checkpoint(newest_) > read_past_run(directory_.record()).from_step;
  }

  [[noreturn]] static void give_up(const WatchedEnd& end) {
    const std::string why =
        end.asked.empty() ? "another attempt would end the same way" : "it was stopped by " + end.asked;
    const bool ours = end.code <= static_cast<int>(ExitCode::lost);
    throw Error(ours ? static_cast<ExitCode>(end.code) : ExitCode::failed,
                fmt::format("not started again after {} ({})", describe(end.code), why));
  }

  /// That an audit has found. Children see the GPUs that this process's environment names.
  void leave_out_gpu_that_erred() {
    const PastRun attempt = read_past_run(directory_.record());
    if (!attempt.gpu_that_erred) return;
    const int gpu = static_cast<int>(*attempt.gpu_that_erred);
    require(
        attempt.ranks == 1, ExitCode::lost,
        fmt::format("not started again: GPU {} of a run of {} ranks erred (its launcher decides which rank "
                    "has which GPU): see {} for the rank and host, start the run without that GPU or "
                    "host, and continue with --resume",
                    gpu, attempt.ranks, directory_.record()));
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const auto left =
        gpus_without(gpu, visible != nullptr ? visible : "", static_cast<int>(cuda_devices().size()));
    require(!left.empty(), ExitCode::lost,
            fmt::format("not started again: GPU {} erred, and there is no other", gpu));
    const std::string names = fmt::format("{}", fmt::join(left, ","));
    setenv("CUDA_VISIBLE_DEVICES", names.c_str(), 1);
    const ConfigOptions& options = command_.options().config;
    const int wanted =
        load_config(options.file, overrides_with_any_cut(options), Devices::anywhere).solver.gpus;
    const int there = static_cast<int>(left.size());
    if (there < wanted) go_on_with(command_.with_gpus(there));
    fmt::print(stderr, "tayra supervise: going on without GPU {}: CUDA_VISIBLE_DEVICES={}\n", gpu, names);
  }

  /// On fewer, into which the cut along y may not divide any more.
  void go_on_with(const RunCommand& fewer) {
    const bool is_cut = read_past_run(directory_.record()).cut_y > 1;
    command_ = is_cut ? fewer.with_any_cut() : fewer;
  }

  /// The same size after a new checkpoint; else something may be missing, and fewer may do.
  void plan_next(const WatchedEnd& end) {
    const bool unseen = !out_of_sight_.empty();
    if (fruitless_ > 0 && !unseen && command_.size())
      go_on_with(command_.with_size(std::max(1, *command_.size() - options_.drop)));
    // What --force is to replace may still be there.
    const bool anew = command_.options().force && !has_begun_;
    if (!anew) command_ = command_.going_on();
    const std::string from = anew              ? "the beginning"
                             : unseen          ? "the newest checkpoint"
                             : newest_.empty() ? "the beginning"
                                               : newest_;
    fmt::print(stderr, "tayra supervise: lost attempt {} ({}); going on from {}: {}\n", attempts_,
               describe(end.code), printable(from),
               printable(fmt::format("{}", fmt::join(command_.words(), " "))));
  }

  SuperviseOptions options_;
  RunCommand command_;
  RunDirectory directory_;
  bool has_begun_ = false;    // some attempt has written its run.json
  int attempts_ = 0;          // that were lost
  int fruitless_ = 0;         // of them, since the last one that is known to have got further
  std::string newest_;        // checkpoint after the last one
  std::string out_of_sight_;  // why none can be seen
};

}  // namespace

std::vector<std::string> gpus_without(int number, const std::string& visible, int there) {
  std::vector<std::string> left;
  std::istringstream names(visible);
  for (std::string name; std::getline(names, name, ',');) left.push_back(name);
  for (int gpu = 0; visible.empty() && gpu < there; ++gpu) left.push_back(std::to_string(gpu));
  if (number < static_cast<int>(left.size())) left.erase(left.begin() + number);
  return left;
}

bool may_go_on(int code, const std::string& status, bool has_run_before) {
  switch (static_cast<ExitCode>(code)) {
    case ExitCode::done:
    case ExitCode::bad_input:
      return false;
    case ExitCode::unavailable:  // a GPU that was there may be gone
      return has_run_before;
    case ExitCode::failed:  // also the code of a launcher that lost a node; a run that failed says so itself
      if (status.empty()) return has_run_before;
      return status != name_of(RunStatus::failed) && status != name_of(RunStatus::stopped);
    case ExitCode::lost:
      return true;
    default: {
      // An illegal instruction would be met again; it is also what Open MPI says of a program that is
      // missing.
      const bool killed = code > 128 && code < 128 + NSIG && code != 128 + SIGILL;
      return killed || !status.empty() || has_run_before;
    }
  }
}

void add_supervise_command(CLI::App& app) {
  const auto options = std::make_shared<SuperviseOptions>();
  CLI::App* command = app.add_subcommand(
      "supervise",
      "Start a run again from its last checkpoint when it lost a rank or a GPU, until it is finished");
  command
      ->add_option("--tries", options->tries,
                   "Give up after this many attempts in a row without a new checkpoint")
      ->capture_default_str()
      ->type_name("N")
      ->check(whole_number_from(1));
  command
      ->add_option(
          "--drop", options->drop,
          "Ranks (or GPUs) to leave out after an attempt without a new checkpoint; on several nodes use the "
          "number on a node. If given and above 0, a GPU that an audit found to err is left out, too")
      ->capture_default_str()
      ->type_name("N")
      ->check(whole_number_from(0));
  command
      ->add_option("COMMAND", options->command,
                   "Command of the run, after --, for example -- mpirun -n 4 tayra run CONFIG")
      ->required();
  command->callback([command, options] {
    options->drops_gpus_that_err = command->count("--drop") > 0 && options->drop > 0;
    Supervisor(*options).run();
  });
}

}  // namespace tayra
