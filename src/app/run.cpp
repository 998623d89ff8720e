// Config, simulation, directory, loop: nothing is written before the first two are good.
#include "app/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "app/memory.hpp"
#include "app/resume.hpp"
#include "app/run_loop.hpp"
#include "app/run_options.hpp"
#include "app/signals.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "io/run_attempts.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

// On a full disk run.json can't be written either; the first error is the one worth telling.
void record_failure(RunRecord& record, const std::exception& failure) {
  try {
    const auto* error = dynamic_cast<const Error*>(&failure);
    const bool lost = error != nullptr && error->code() == ExitCode::lost;
    record.end(lost ? RunStatus::lost : RunStatus::failed, failure.what());
  } catch (const Error&) {
  }
}

// run.json tells how the run ended even when writing a file fails on the way.
RunOutcome run_recorded(RunLoop& loop, RunRecord& record) {
  try {
    const RunOutcome outcome = loop.run();
    loop.attempt([&] { record.end(outcome.status, outcome.message); });
    return outcome;
  } catch (const std::exception& error) {
    record_failure(record, error);
    throw;
  }
}

/// Every rank reads the file itself; on several nodes it need not be the same one.
void require_same_config(const Config& config) {
  const auto texts = ranks().gather_texts(config.resolved_yaml);
  for (std::size_t rank = 1; rank < texts.size(); ++rank) {
    if (texts[rank] == texts[0]) continue;
    const auto differ =
        std::mismatch(texts[0].begin(), texts[0].end(), texts[rank].begin(), texts[rank].end());
    const auto line = [](const std::string& text, std::size_t at) {
      const auto begin = text.rfind('\n', at == 0 ? 0 : at - 1);
      const auto start = begin == std::string::npos ? 0 : begin + 1;
      return text.substr(start, text.find('\n', start) - start);
    };
    const auto at = static_cast<std::size_t>(differ.first - texts[0].begin());
    throw Error(
        ExitCode::bad_input,
        fmt::format("{}: rank {} reads another config than rank 0 ('{}', not '{}'): give every rank the same "
                    "file and options",
                    config.file, rank, line(texts[rank], at), line(texts[0], at)));
  }
}

/// What only the first rank can find wrong is wrong for all.
template <class Work>
void on_first_rank(Work work) {
  std::string problem;
  int code = 0;
  if (ranks().is_first()) try {
      work();
    } catch (const Error& error) {
      problem = error.what();
      code = static_cast<int>(error.code());
    }
  problem = ranks().broadcast_text(problem);
  code = ranks().from_first(code);
  require(problem.empty(), static_cast<ExitCode>(code), problem);
}

// The directory is then ready for the run.
std::optional<Resumption> prepare(const RunOptions& options, const Config& config,
                                  const RunDirectory& directory, OutputFiles& files, Progress& progress) {
  if (options.resume)
    return resume_run(*options.resume, config, directory, files,
                      [&](const std::string& line) { progress.note(line); });
  directory.create(options.force ? ExistingResults::replace : ExistingResults::refuse);
  return std::nullopt;
}

RunOutcome run_into(const RunDirectory& directory, const Config& config, const Problem& problem,
                    Simulation& simulation, OutputFiles& files, const RunOptions& options) {
  const Doing doing(Phase::writing);  // where the simulation is not at work
  Progress progress(config, options.quiet ? ProgressStyle::quiet : progress_style_of(stdout));
  RunOrigin origin{.command_line = command_words()};
  if (options.resume) origin.attempts = attempts_until_now(directory.record());
  origin.resumed = prepare(options, config, directory, files, progress);
  write_text_file(directory.config(), config.resolved_yaml);
  RunRecord record(directory.record(), config, simulation.facts(), origin);
  progress.show_start(simulation.facts(), simulation.step(), simulation.time());
  RunLoop loop(config, problem, directory, simulation, files, origin.resumed, record, progress);
  const RunOutcome outcome = run_recorded(loop, record);
  progress.show_end(simulation.step(), simulation.time(), directory.path());
  return outcome;
}

void run(const RunOptions& options) {
  const Config config = load_run_config(options);
  require_same_config(config);
  const auto problem = make_problem(config);
  const RunDirectory directory(config.output_directory);
  const bool may_exist = options.force || options.resume;
  on_first_rank([&] { directory.check(may_exist ? ExistingResults::replace : ExistingResults::refuse); });
  require_memory(config);
  auto simulation = make_simulation(config.solver, *problem);
  note_stop_signals();  // on all ranks; the first one acts on them
  if (ranks().is_first()) simulation = lead(std::move(simulation));
  RunOutcome outcome{RunStatus::finished, ""};
  OutputFiles files(config, directory, *simulation);
  if (ranks().is_first())
    outcome = run_into(directory, config, *problem, *simulation, files, options);
  else
    follow(*simulation, [&](const std::string& what) { files.obey(what); });
  simulation.reset();
  // All end alike, so that none is ended by another.
  outcome.status = ranks().from_first(outcome.status);
  outcome.message = ranks().broadcast_text(outcome.message);
  require(outcome.status == RunStatus::finished, ExitCode::failed, outcome.message);
}

}  // namespace

void add_run_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run what a config describes");
  add_run_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace tayra
