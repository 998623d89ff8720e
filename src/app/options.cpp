// Options become overrides of their keys.
#include "app/options.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/number_in.hpp"
#include "core/printable.hpp"
#include "io/json.hpp"

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

void add_set_option(CLI::App& command, ConfigOptions& options) {
  command
      .add_option("--set", options.settings,
                  "Use this value of a config key instead of the file's, or none (null); may be repeated")
      ->type_name("KEY.PATH=VALUE")
      ->allow_extra_args(false);
}

void add_output_option(CLI::App& command, ConfigOptions& options) {
  command.add_option("--output", options.output, "Where the results go (output.directory)")->type_name("DIR");
}

void add_config_options(CLI::App& command, ConfigOptions& options) {
  add_set_option(command, options);
  command.add_option("--halo", options.halo, "How neighbouring slabs exchange their edge planes (run.halo)")
      ->type_name("NAME");
  command.add_option("--device", options.device, "auto, cpu or cuda (run.device)")->type_name("NAME");
  auto* gpus = command.add_option("--gpus", options.gpus, "Run on N GPUs (run.gpus)")->type_name("N");
  command.add_option("--slabs", options.slabs, "Cut the box into N slabs (run.slabs)")
      ->type_name("N")
      ->excludes(gpus);
  add_output_option(command, options);
}

std::vector<Override> overrides_of(const ConfigOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& setting : options.settings) {
    const auto equals = setting.find('=');
    require(
        equals != std::string::npos && equals > 0, ExitCode::bad_input,
        fmt::format("--set {}: expected key.path=value, like --set numerics.cfl=0.5", shortened(setting)));
    overrides.push_back(
        {setting.substr(0, equals), setting.substr(equals + 1), "--set " + shortened(setting)});
  }
  enum class Given { number, text };
  const auto add = [&](const char* option, const char* key, const std::optional<std::string>& value,
                       Given kind) {
    if (value)
      overrides.push_back({key, kind == Given::text ? json_quoted(*value) : *value,
                           fmt::format("{} {}", option, shortened(*value)), kind == Given::text});
  };
  // Who asks for a number of GPUs wants to run on them.
  if (options.gpus && !options.device)
    overrides.push_back({"run.device", "cuda", "--gpus " + shortened(*options.gpus)});
  add("--gpus", "run.gpus", options.gpus, Given::number);
  add("--slabs", "run.slabs", options.slabs, Given::number);
  add("--device", "run.device", options.device, Given::text);
  add("--halo", "run.halo", options.halo, Given::text);
  add("--output", "output.directory", options.output, Given::text);
  return overrides;
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("CONFIG", options.config.file, "YAML file (required); see `tayra check --schema`");
  command.parse_complete_callback([&options] { settle_config(options); });
  add_config_options(command, options.config);
  auto* force = command.add_flag("--force", options.force, "Replace the results of an earlier run");
  add_resume_option(command, options.resume)->excludes(force);
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
}

std::vector<Override> overrides_with_any_cut(const ConfigOptions& options) {
  auto overrides = overrides_of(options);
  overrides.push_back({"run.cut_y", "auto", "run.cut_y"});
  return overrides;
}

Config load_run_config(const RunOptions& options, const std::string& continued) {
  return load_config(options.config.file, overrides_of(options.config), Devices::here, continued);
}

CLI::Validator whole_number_from(int least) {
  const auto complaint = [least](const std::string& text) {
    const auto number = number_in<int>(text);
    if (number && *number >= least && !begins_with_zero(text)) return std::string();
    return fmt::format("found {}, expected a whole number from {} to {}", text, least,
                       std::numeric_limits<int>::max());
  };
  return CLI::Validator(complaint, "");
}

}  // namespace tayra
