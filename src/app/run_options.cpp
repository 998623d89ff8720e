// Options that stand for config keys become overrides.
#include "app/run_options.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/json.hpp"

namespace tayra {
namespace {

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

CLI::Option* add_resume_option(CLI::App& command, std::optional<std::string>& resume) {
  const auto take = [&resume](const std::vector<std::string>& words) {
    resume = words.empty() ? "" : words.front();
    return true;
  };
  return command
      .add_option("--resume", take,
                  "Continue from checkpoint FILE, or from the newest intact one in the output directory; if "
                  "there is none, start from the beginning")
      ->type_name("[FILE]")
      ->expected(0, 1);
}

/// `--resume CONFIG --quiet`: what looks like its FILE is the config.
void settle_config(RunOptions& options) {
  std::string& config = options.config.file;
  auto& resume = options.resume;
  const bool is_config = resume && (resume->ends_with(".yaml") || resume->ends_with(".yml"));
  if (config.empty() && is_config) config = std::exchange(*resume, "");
  if (config.empty()) throw CLI::RequiredError("CONFIG");
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("CONFIG", options.config.file, "YAML file (required); see `tayra check --schema`");
  command.parse_complete_callback([&options] { settle_config(options); });
  add_set_option(command, options.config);
  command.add_option("--halo", options.halo, "How neighbouring slabs exchange their edge planes (run.halo)")
      ->type_name("NAME");
  command.add_option("--device", options.device, "auto, cpu or cuda (run.device)")->type_name("NAME");
  auto* gpus = command.add_option("--gpus", options.gpus, "Run on N GPUs (run.gpus)")->type_name("N");
  command.add_option("--slabs", options.slabs, "Cut the box into N slabs (run.slabs)")
      ->type_name("N")
      ->excludes(gpus);
  command.add_option("--output", options.output, "Where the results go (output.directory)")->type_name("DIR");
  auto* force = command.add_flag("--force", options.force, "Replace the results of an earlier run");
  add_resume_option(command, options.resume)->excludes(force);
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
}

Config load_run_config(const RunOptions& options) {
  return load_config(options.config.file, overrides_of(options));
}

}  // namespace tayra
