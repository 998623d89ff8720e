// docs/config.md is made from the table that validates configs; this test keeps the two the same.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "io/config_keys.hpp"
#include "io/generated_file.hpp"
#include "io/temporary_directory.hpp"
#include "solver/output_fields.hpp"
#include "solver/problem.hpp"

namespace tayra {
namespace {

const char* const introduction = R"(# The config

One YAML file describes a run. Only `problem.name`, `grid.cells` and one of `run.time` and `run.steps` are
needed; every other key has a default or can be left out.
`tayra check CONFIG` prints the config with its defaults filled in (except that of `output.writer_memory`), which of
them follow from other keys, and what the run will cost;
`tayra check --schema` prints a JSON schema for editors. `--set key.path=value` overrides a key of the file,
and `--set key.path=null` takes it away: `--set run.time=null` lets the file's `run.steps` end the run. (A null within braces removes nothing; where a value is expected it is an error.)
A section given in this way, for example `--set 'output.snapshots={precision: double}'`, keeps the file's other keys; but `--set output.parts={}` replaces all parts, since their names are yours.

Units are your own, but must be consistent. So that the numbers stay within what the computer can hold, at the start of a run

- density times pressure, and pressure times the speed of sound, must be between 1e-300 and 1e300 in double precision, between 1e-30 and 1e30 in single;
- the sides of cells must lie within these bounds, too;
- density times speed cubed must be at most 1e300 in double precision, 1e30 in single;
- the volumes of the box and of a cell must be between 1e-300 and 1e300 in either precision;
- density and pressure must be between 1e-36 and 1e36, and speed, momentum and kinetic energy at most 1e36, where a snapshot in single precision (the default) holds them.

Only the start is looked at, in up to a million of its cells.

A key that isn't listed here, a value of another type or one that makes no sense is an error that names the
line. This page is made from the table of keys that checks configs ([extending](extending.md#then) says
how to write it again).

)";

const char* const about_problems =
    R"(The keys of each problem follow. They belong in the section `problem`, beside `name`: `atwood` is `problem.atwood`, as in
`--set problem.atwood=0.3`. A start of your own needs no C++: see `formula`, `file` and
`rt_surface`. A new problem is one file ([how](extending.md#a-problem)).

)";

/// A bar would end the cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '|') escaped += '\\';
    escaped += character;
  }
  return escaped;
}

std::string default_of(const Key& key) {
  if (key.rules.is_required) return "**required**";
  if (!has_default(key)) return "";
  YAML::Emitter yaml;
  yaml << YAML::Flow;
  write_value(yaml, key);
  return fmt::format("`{}`", yaml.c_str());
}

std::string table(const Key& section, const std::string& path) {
  std::string text = "| key | what it is | value | default |\n|---|---|---|---|\n";
  const auto add_row = [&](const std::string& name, const Key& key) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", name, cell(key.meaning), cell(expectation(key)),
                        default_of(key));
  };
  for_each_key(section, add_row, path);
  return text;
}

std::string problem_text(const ProblemEntry& problem) {
  constexpr std::array names{"periodic", "mirror", "outflow"};
  std::vector<std::string> walls;
  for (const Boundary boundary : problem.default_boundary)
    walls.emplace_back(names[static_cast<std::size_t>(boundary)]);
  const std::string gamma =
      problem.default_gamma == 5. / 3 ? "" : fmt::format("`gamma: {}`, ", problem.default_gamma);
  const std::string details = problem.details.empty() ? "" : problem.details + " ";
  std::string text =
      fmt::format("### {}\n\n{}. {}Defaults: {}`gravity: {}`, boundaries {} (x, y, z).\n\n", problem.name,
                  problem.summary, details, gamma, problem.default_gravity, fmt::join(walls, ", "));
  const auto own = problem.keys();
  const SolverSettings setting;
  const Key keys = section("", own->keys(setting));
  if (keys.keys.empty()) return text + "It has no keys of its own.\n\n";
  return text + table(keys, "") + "\n";
}

std::string fields_text() {
  std::string text =
      "## Fields\n\nWhat snapshots may hold (`output.snapshots.fields`).\n\n| field | components | units | "
      "what it is "
      "|\n|---|---|---|---|\n";
  for (const OutputField& field : output_fields())
    text += fmt::format("| `{}` | {} | {} | {} |\n", field.name, field.components, field.units,
                        cell(field.meaning));
  return text + "\n";
}

std::string reference() {
  Config config = config_of_documents();
  std::string text = introduction;
  for (const Key& section : config_keys(config).keys) {
    text += fmt::format("## {}\n\n{}\n", section.name, table(section, section.name));
    if (section.name != "problem") continue;
    text += about_problems;
    for (const auto& problem : problem_registry()) text += problem_text(problem);
  }
  text += fields_text();
  text.pop_back();
  return text;
}

TEST(ConfigReference, IsWhatTheTableOfKeysSays) {
  expect_generated(TAYRA_SOURCE_DIR "/docs/config.md", reference());
}

}  // namespace
}  // namespace tayra
