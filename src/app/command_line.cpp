// CLI11 driven, and its usage errors turned into ours.
#include "app/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/external_command.hpp"
#include "core/nearest_name.hpp"
#include "grid/ranks.hpp"

namespace tayra {
namespace {

using Words = std::vector<std::string>;

Words command_names(const CLI::App& app) {
  Words names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string how_to_get(const std::string& name) {
  if (name == "bench") return ": building the target tayra-bench brings it";
  return name == "plot" || name == "compare" ? ": pip install ./python brings it" : "";
}

[[noreturn]] void fail_unknown_command(const std::string& name, Words known) {
  const Words external = external_commands();
  known.insert(known.end(), external.begin(), external.end());
  throw Error(
      ExitCode::bad_input,
      fmt::format(
          "unknown command '{}' (there is no tayra-{} beside this program or on PATH{}); {}commands: {}",
          name, name, how_to_get(name), did_you_mean(name, known), fmt::join(known, ", ")));
}

bool names_another_program(const CLI::App& app, const Words& words) {
  if (words.empty() || words.front().starts_with('-')) return false;
  const Words known = command_names(app);
  return std::find(known.begin(), known.end(), words.front()) == known.end();
}

/// Ranks with other commands would wait for each other in vain until run.timeout is over.
void require_same_command(const Words& words) {
  const std::size_t length = !words.empty() && words[0] == "bench" ? 2 : 1;
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(length, words.size()));
  const auto of_ranks = ranks().gather_texts(fmt::format("{}", fmt::join(words.begin(), end, " ")));
  for (std::size_t rank = 1; rank < of_ranks.size(); ++rank)
    require(
        of_ranks[rank] == of_ranks[0], ExitCode::bad_input,
        fmt::format("rank {} was started as 'tayra {}', rank 0 as 'tayra {}': start all ranks with the same "
                    "command",
                    rank, of_ranks[rank], of_ranks[0]));
}

/// The subcommand that the words got to.
const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name(*parent) + " " + command.get_name() : command.get_name();
}

Words option_names(const CLI::App& command) {
  Words names;
  for (const auto* option : command.get_options()) names.push_back(option->get_name());
  return names;
}

/// What the first unknown option was probably meant to be.
std::string spelling_hint(const CLI::App& command, const Words& words) {
  const Words options = option_names(command);
  for (const auto& word : words) {
    const std::string option = word.substr(0, word.find('='));
    const bool unknown =
        option.starts_with("--") && std::find(options.begin(), options.end(), option) == options.end();
    if (unknown) return did_you_mean(option, options);
  }
  return "";
}

/// CLI11 itself names what it did not expect the last first.
std::string what_is_wrong(const CLI::App& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  return fmt::format("not expected: {}", fmt::join(command.remaining(), " "));
}

/// Where the last command that was understood has subcommands, one of these is missing.
std::string usage_problem(const CLI::App& command, const Words& words, const CLI::ParseError& error) {
  Words known = command_names(command);
  const std::string hint = spelling_hint(command, words);
  if (known.empty() || !hint.empty()) return fmt::format("{}; {}", what_is_wrong(command, error), hint);
  if (!command.get_parent()) {
    const Words external = external_commands();
    known.insert(known.end(), external.begin(), external.end());
    return fmt::format("needs a command; known: {}; ", fmt::join(known, ", "));
  }
  const auto name = std::find(words.begin(), words.end(), command.get_name());
  const bool unknown = name != words.end() && name + 1 != words.end() && !name[1].starts_with('-');
  const std::string problem = unknown ? fmt::format("there is no '{} {}'; {}", full_name(command), name[1],
                                                    did_you_mean(name[1], known))
                                      : fmt::format("{} needs a command; ", full_name(command));
  return fmt::format("{}known: {}; ", problem, fmt::join(known, ", "));
}

}  // namespace

void become_other_program(const CLI::App& app, const Words& words) {
  if (names_another_program(app, words)) exec_external_command(words);
}

void run_command_line(CLI::App& app, const Words& words) {
  require_same_command(words);
  if (names_another_program(app, words)) fail_unknown_command(words.front(), command_names(app));
  try {
    app.parse(Words(words.rbegin(), words.rend()));  // CLI11 wants them last first
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = chosen_command(app);
    throw Error(ExitCode::bad_input,
                fmt::format("{}see {} --help", usage_problem(command, words, error), full_name(command)));
  }
}

}  // namespace tayra
