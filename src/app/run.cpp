// Config, simulation, directory, loop: nothing is written before the first two are good.
#include "app/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "app/config_options.hpp"
#include "app/memory.hpp"
#include "app/resume.hpp"
#include "app/run_loop.hpp"
#include "app/signals.hpp"
#include "core/process.hpp"
#include "grid/ranks.hpp"
#include "io/json.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

struct RunOptions {
  ConfigOptions config;
  std::optional<std::string> halo, device, gpus, slabs, output;
  std::optional<std::string> resume;  // a file; empty: the newest checkpoint
  bool force = false;
  bool quiet = false;
};

std::vector<Override> overrides_of(const RunOptions& options) {
  auto overrides = set_overrides(options.config);
  const auto add = [&](const char* option, const char* key, const std::optional<std::string>& value) {
    if (value) overrides.push_back({key, json_quoted(*value), fmt::format("{} {}", option, *value)});
  };
  // Who asks for a number of GPUs wants to run on them.
  if (options.gpus && !options.device) overrides.push_back({"run.device", "cuda", "--gpus " + *options.gpus});
  if (options.gpus) overrides.push_back({"run.gpus", *options.gpus, "--gpus " + *options.gpus});
  if (options.slabs) overrides.push_back({"run.slabs", *options.slabs, "--slabs " + *options.slabs});
  add("--device", "run.device", options.device);
  add("--halo", "run.halo", options.halo);
  add("--output", "output.directory", options.output);
  return overrides;
}

// On a full disk run.json can't be written either; the first error is the one worth telling.
void record_failure(RunRecord& record, const std::exception& failure) {
  try {
    record.end(RunStatus::failed, failure.what());
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
  Progress progress(config, options.quiet ? ProgressStyle::quiet : progress_style_of(stdout));
  const auto resumed = prepare(options, config, directory, files, progress);
  write_text_file(directory.config(), config.resolved_yaml);
  RunRecord record(directory.record(), config, simulation.facts(), command_words(), resumed);
  progress.show_start(simulation.facts(), simulation.step(), simulation.time());
  RunLoop loop(config, problem, directory, simulation, files, resumed, record, progress);
  const RunOutcome outcome = run_recorded(loop, record);
  progress.show_end(simulation.step(), simulation.time(), directory.path());
  return outcome;
}

void run(const RunOptions& options) {
  const Config config = load_config(options.config.file, overrides_of(options));
  require_same_config(config);
  const auto problem = make_problem(config);
  const RunDirectory directory(config.output_directory);
  const bool may_exist = options.force || options.resume;
  on_first_rank([&] { directory.check(may_exist ? ExistingResults::replace : ExistingResults::refuse); });
  require_memory(config);
  auto simulation = make_simulation(config.solver, *problem);
  note_stop_signals();  // on all ranks; the first one acts on them
  if (ranks().is_first()) simulation = lead(std::move(simulation));
  OutputFiles files(config, directory, *simulation);
  if (!ranks().is_first()) return follow(*simulation, [&](const std::string& what) { files.obey(what); });
  const RunOutcome outcome = run_into(directory, config, *problem, *simulation, files, options);
  simulation.reset();
  require(outcome.status == RunStatus::finished, ExitCode::failed, outcome.message);
}

CLI::Option* add_resume_option(CLI::App& command, std::optional<std::string>& resume) {
  const auto take = [&resume](const std::vector<std::string>& words) {
    resume = words.empty() ? "" : words.front();
    return true;
  };
  return command
      .add_option("--resume", take,
                  "Go on from checkpoint FILE, or from the newest intact one in the output directory; "
                  "without any, start "
                  "from the beginning")
      ->type_name("[FILE]")
      ->expected(0, 1);
}

}  // namespace

void add_run_command(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run what a config describes");
  command->add_option("CONFIG", options->config.file, "YAML file; see `tayra check --schema`")->required();
  add_set_option(*command, options->config);
  command->add_option("--halo", options->halo, "How slabs exchange their faces (run.halo)")
      ->type_name("NAME");
  command->add_option("--device", options->device, "cpu or cuda (run.device)")->type_name("NAME");
  auto* gpus = command->add_option("--gpus", options->gpus, "Run on N GPUs (run.gpus)")->type_name("N");
  command->add_option("--slabs", options->slabs, "Cut the box into N slabs (run.slabs)")
      ->type_name("N")
      ->excludes(gpus);
  command->add_option("--output", options->output, "Where the results go (output.directory)")
      ->type_name("DIR");
  auto* force = command->add_flag("--force", options->force, "Replace the results of an earlier run");
  add_resume_option(*command, options->resume)->excludes(force);
  command->add_flag("--quiet", options->quiet, "Print nothing but errors");
  command->callback([options] { run(*options); });
}

}  // namespace tayra
