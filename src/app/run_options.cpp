// What `tayra run` is asked for.
#include "app/run_options.hpp"

#include <utility>

namespace tayra {
namespace {

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
  add_config_options(command, options.config);
  auto* force = command.add_flag("--force", options.force, "Replace the results of an earlier run");
  add_resume_option(command, options.resume)->excludes(force);
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
}

Config load_run_config(const RunOptions& options, const std::string& continued) {
  return load_config(options.config.file, overrides_of(options.config), Devices::here, continued);
}

}  // namespace tayra
