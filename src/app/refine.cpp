// A checkpoint for another grid or precision, where `tayra run --resume` finds it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/resume.hpp"
#include "core/printable.hpp"
#include "grid/ranks.hpp"
#include "io/checkpoint.hpp"
#include "io/refinement.hpp"
#include "io/run_directory.hpp"

namespace tayra {
namespace {

struct RefineOptions {
  std::string checkpoint;
  ConfigOptions config;
};

/// The file itself, or the newest of a run.
std::string checkpoint_named(const std::string& name) {
  require(is_there(name, name), ExitCode::bad_input,
          name + ": no such run or checkpoint: name a run's directory, or one of its checkpoints");
  if (!std::filesystem::is_directory(name)) {
    const std::string other = other_than_checkpoint(name);
    require(other.empty(), ExitCode::bad_input,
            name + ": is " + other + ": name a run's directory, or one of its checkpoints");
    return name;
  }
  const auto all = checkpoints_in(RunDirectory(name).checkpoints());
  require(!all.empty(), ExitCode::bad_input, name + " holds no checkpoint: name a run with one, or a file");
  return all.front();
}

/// As a shell reads it back.
std::string shell_word(const std::string& word) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void refine(const RefineOptions& options) {
  require(ranks().size() == 1, ExitCode::bad_input,
          "refine is one process's work: start it without mpirun or srun");
  const auto config_from = [&](const std::string& continued) {
    return load_config(options.config.file, overrides_with_any_cut(options.config), Devices::anywhere,
                       continued);
  };
  Config config = config_from("");
  const std::string from = checkpoint_named(options.checkpoint);
  const RunDirectory directory(config.output_directory);
  directory.require_apart(options.config.file);
  directory.check(ExistingResults::refuse, "choose another directory with --output");
  const CheckpointFile file(from);
  file.require_parts();
  const CheckpointHead& head = file.head();
  config = config_from(head.config);
  require_refinable(from, head, config);
  require_not_past(config.limits, from, head.position.clock, "CHECKPOINT");
  directory.add_folder("checkpoints");
  const std::string to = fmt::format("{}/{:06}.h5", directory.checkpoints(), head.position.clock.step);
  refine_checkpoint(from, config, to);
  const auto changes = differing_keys(head.config, config.flow_yaml);
  if (!changes.empty())
    fmt::print("changed from {}: {}\n", printable(from),
               printable(fmt::format("{}", fmt::join(changes, "; "))));
  std::string words;
  for (const std::string& setting : options.config.settings) words += " --set " + shell_word(setting);
  const std::string next = fmt::format("{} is ready: tayra run {} --output {}{} --resume", to,
                                       shell_word(config.file), shell_word(directory.path()), words);
  fmt::print("{}\n", printable(next));
}

}  // namespace

void add_refine_command(CLI::App& app) {
  const auto options = std::make_shared<RefineOptions>();
  CLI::App* command = app.add_subcommand(
      "refine", "Carry a checkpoint over to a grid twice as fine, another precision or another scheme");
  command
      ->add_option("CHECKPOINT", options->checkpoint,
                   "A checkpoint file, or a run directory (its newest checkpoint is used)")
      ->required();
  command->add_option("CONFIG", options->config.file, "YAML file of the new run")->required();
  add_set_option(*command, options->config);
  add_output_option(*command, options->config);
  command->callback([options] { refine(*options); });
}

}  // namespace tayra
