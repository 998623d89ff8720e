// Options become overrides of their keys.
#include "app/config_options.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"
#include "io/json.hpp"

namespace tayra {

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

Override set_override(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(
        ExitCode::bad_input,
        fmt::format("--set {}: expected key.path=value, like --set numerics.cfl=0.5", shortened(setting)));
  return {setting.substr(0, equals), setting.substr(equals + 1), "--set " + shortened(setting)};
}

std::vector<Override> overrides_of(const ConfigOptions& options) {
  std::vector<Override> overrides;
  for (const auto& setting : options.settings) overrides.push_back(set_override(setting));
  const auto add = [&](const char* option, const char* key, const std::optional<std::string>& value) {
    if (value)
      overrides.push_back({key, json_quoted(*value), fmt::format("{} {}", option, shortened(*value))});
  };
  // Who asks for a number of GPUs wants to run on them.
  if (options.gpus && !options.device)
    overrides.push_back({"run.device", "cuda", "--gpus " + shortened(*options.gpus)});
  if (options.gpus)
    overrides.push_back({"run.gpus", *options.gpus, "--gpus " + shortened(*options.gpus), false});
  if (options.slabs)
    overrides.push_back({"run.slabs", *options.slabs, "--slabs " + shortened(*options.slabs), false});
  add("--device", "run.device", options.device);
  add("--halo", "run.halo", options.halo);
  add("--output", "output.directory", options.output);
  return overrides;
}

}  // namespace tayra
