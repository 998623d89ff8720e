// Every key must be known, every required one there; defaults come from the table.
#include "io/config_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "grid/grid.hpp"
#include "io/config_value.hpp"

namespace tayra {
namespace {

[[noreturn]] void fail(const std::string& place, const std::string& key, const std::string& problem) {
  throw Error(ExitCode::bad_input, fmt::format("{}: {}: {}", place, key, problem));
}

std::string last_name(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::string section_of(const std::string& key) {
  const auto dot = key.rfind('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

constexpr std::size_t most_parts = 1000;

bool is_of_a_part(const std::string& key) { return key.starts_with(std::string(parts_section) + "."); }

// A key that stands in the wrong section is the likeliest mistake when no name nearby fits.
std::string where_it_belongs(const ConfigSchema& schema, const std::string& name) {
  for (const auto& key : schema.keys())
    if (last_name(key.name) == name) return fmt::format("did you mean '{}'? ", key.name);
  return "";
}

[[noreturn]] void fail_unknown(const ConfigSchema& schema, const std::string& key, const std::string& place) {
  std::string section = section_of(key);
  while (!section.empty() && !schema.is_section(section)) section = section_of(section);
  const std::string rest = key.substr(section.empty() ? 0 : section.size() + 1);
  const std::string name = rest.substr(0, rest.find('.'));
  auto allowed = schema.names_allowed_in(section);
  std::sort(allowed.begin(), allowed.end());
  std::string hint = did_you_mean(name, allowed);
  if (hint.empty() && !is_of_a_part(section)) hint = where_it_belongs(schema, name);
  const std::string known =
      allowed.empty() ? "there are no parts" : fmt::format("allowed here: {}", fmt::join(allowed, ", "));
  fail(place, key, fmt::format("unknown key; {}{}", hint, known));
}

void check_known(const ConfigSchema& schema, const NamedEntry& named) {
  const auto& [name, entry] = named;
  if (const Parameter* key = schema.find(name)) {
    if (entry.value.is_section())
      read_value(*key, entry.value, entry.place);  // throws: better than naming what it holds
    return;
  }
  if (!schema.is_section(name)) fail_unknown(schema, name, entry.place);
  const bool holds_keys = entry.value.is_section() || entry.value.is_null();
  if (!holds_keys)
    fail(
        entry.place, name,
        fmt::format("found {}; expected {}", entry.value.is_scalar() ? shortened(entry.value.text) : "a list",
                    name == parts_section ? "a section with a NAME: {...} for each part"
                                          : fmt::format("a section with the keys: {}",
                                                        fmt::join(schema.names_allowed_in(name), ", "))));
}

const ConfigEntry* find_entry(const ConfigDocument& document, const std::string& key) {
  const auto found = document.find(key);
  return found == document.end() ? nullptr : &found->second;
}

// Without the problem's name its own keys can't be judged, but a misspelt "name" or "problem" can.
[[noreturn]] void fail_without_problem(const std::string& file, const ConfigDocument& document) {
  const ConfigSchema common;
  for (const NamedEntry* entry : in_order(document)) {
    const std::string& key = entry->first;
    const bool own_key = key.starts_with("problem.") && did_you_mean(last_name(key), {"name"}).empty();
    if (!own_key && !is_of_a_part(key)) check_known(common, *entry);
  }
  const ConfigEntry* section = find_entry(document, "problem");
  fail(section ? section->place : file, "problem.name",
       fmt::format("required key is missing; expected {}", expectation(*common.find("problem.name"))));
}

Parameters read_given(const ConfigSchema& schema, const ConfigDocument& document) {
  Parameters values;
  const auto entries = in_order(document);
  for (const NamedEntry* entry : entries) check_known(schema, *entry);
  for (const NamedEntry* named : entries) {
    const auto& [name, entry] = *named;
    if (const Parameter* key = schema.find(name); key != nullptr && !entry.taken_away)
      values.set(name, read_value(*key, entry.value, entry.place));
  }
  return values;
}

/// Cadences whose default falls away once another one is given.
bool replaced_by_another(const Parameters& values, const std::string& key) {
  return (key == "output.diagnostics.every_steps" && values.has("output.diagnostics.every_time")) ||
         (key == "output.checkpoints.every_minutes" && values.has("output.checkpoints.every_steps"));
}

/// Axes along which the grid has one cell, as nothing varies there; none before the grid is known.
std::vector<std::size_t> axes_of_one_cell(const Parameters& values) {
  std::vector<std::size_t> axes;
  if (!values.has("grid.cells")) return axes;
  const auto cells = values.integers("grid.cells");
  for (std::size_t axis = 0; axis < cells.size(); ++axis)
    if (cells[axis] == 1) axes.push_back(axis);
  return axes;
}

Value default_of(const Parameter& key, const std::vector<std::size_t>& axes_of_one_cell) {
  Value value = key.fallback;
  for (const std::size_t axis : axes_of_one_cell) {
    if (key.name == std::string("grid.boundary.") + "xyz"[axis])
      value = std::string(name_of(Boundary::periodic));
    if (auto* counts = std::get_if<std::vector<std::int64_t>>(&value);
        key.along_axes && counts != nullptr && axis < counts->size())
      (*counts)[axis] = 0;
  }
  return value;
}

void fill_defaults(const std::string& file, const ConfigSchema& schema, Parameters& values) {
  const Parameters given = values;
  for (const auto& key : schema.keys()) {
    if (values.has(key.name)) continue;
    if (key.required)
      fail(file, key.name, fmt::format("required key is missing; expected {}", expectation(key)));
    if (replaced_by_another(given, key.name)) continue;
    if (!std::holds_alternative<std::monostate>(key.fallback))
      values.set(key.name, default_of(key, axes_of_one_cell(given)));
  }
}

}  // namespace

const ProblemEntry& chosen_problem(const std::string& file, const ConfigDocument& document) {
  const ConfigEntry* name = find_entry(document, "problem.name");
  if (!name) fail_without_problem(file, document);
  const Value value = read_value(*ConfigSchema().find("problem.name"), name->value, name->place);
  return *find_problem(std::get<std::string>(value));
}

std::vector<std::string> part_names(const ConfigDocument& document) {
  const std::string prefix = std::string(parts_section) + ".";
  const std::string allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  std::set<std::string> names;
  for (const NamedEntry* named : in_order(document)) {
    const auto& [key, entry] = *named;
    if (!key.starts_with(prefix) || entry.taken_away) continue;
    const std::string name = key.substr(prefix.size(), key.find('.', prefix.size()) - prefix.size());
    if (name.empty() || name.find_first_not_of(allowed) != std::string::npos)
      fail(entry.place, key, "a part's name becomes a folder: use letters, digits, _ and -");
    names.insert(name);
    if (names.size() > most_parts)
      fail(entry.place, key,
           fmt::format("more than {} parts, each a folder of its own: leave some out", most_parts));
  }
  return {names.begin(), names.end()};
}

Parameters read_values(const std::string& file, const ConfigSchema& schema, const ConfigDocument& document) {
  Parameters values = read_given(schema, document);
  fill_defaults(file, schema, values);
  return values;
}

}  // namespace tayra
