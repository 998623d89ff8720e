// --set, taken apart.
#include "app/config_options.hpp"

#include <fmt/format.h>

namespace tayra {

void add_set_option(CLI::App& command, ConfigOptions& options) {
  command
      .add_option("--set", options.settings,
                  "Use this value of a config key instead of the file's; may be repeated")
      ->type_name("KEY.PATH=VALUE")
      ->allow_extra_args(false);
}

Override set_override(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(ExitCode::bad_input,
                fmt::format("--set {}: expected key.path=value, like --set numerics.cfl=0.5", setting));
  return {setting.substr(0, equals), setting.substr(equals + 1), "--set " + setting};
}

std::vector<Override> set_overrides(const ConfigOptions& options) {
  std::vector<Override> overrides;
  for (const auto& setting : options.settings) overrides.push_back(set_override(setting));
  return overrides;
}

}  // namespace tayra
