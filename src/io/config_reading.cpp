// Strict about types, ranges and choices; friendly about 1e3 as a whole number. An unknown key is told before
// any wrong value: it may be why the value is wrong.
#include "io/config_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/number_in.hpp"
#include "core/printable.hpp"
#include "io/config_keys.hpp"

namespace tayra {
namespace {

constexpr std::size_t most_parts = 1000;

/// Keys and sections, by path.
using Index = std::map<std::string, const Key*>;

[[noreturn]] void fail(const std::string& place, const std::string& key, const std::string& problem) {
  throw Error(ExitCode::bad_input, fmt::format("{}: {}: {}", place, key, problem));
}

/// A value being read, for messages.
struct Reading {
  const Key& key;
  const ConfigEntry& entry;

  [[noreturn]] void fail_with(const std::string& found, const std::string& hint = "") const {
    fail(entry.place, entry.key, fmt::format("found {}; {}expected {}", found, hint, expectation(key)));
  }
};

std::string found_text(const YamlNode& node) {
  if (node.is_list()) return fmt::format("a list of {}", node.items.size());
  if (node.is_section()) return "a section";
  if (node.is_null()) return "nothing";
  return shortened(node.is_quoted ? "\"" + node.text + "\"" : node.text);
}

std::optional<double> parse_number(const YamlNode& node) {
  if (!node.is_scalar() || node.is_quoted) return std::nullopt;
  std::string_view text = node.text;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto number = number_in<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

double read_number(const Reading& reading, const YamlNode& node) {
  const auto number = parse_number(node);
  const bool needless_quotes = node.is_scalar() && node.is_quoted;
  if (!number) reading.fail_with(found_text(node), needless_quotes ? "a number stands without quotes; " : "");
  const Rules& rules = reading.key.rules;
  const bool outside =
      (rules.above && *number <= *rules.above) || (rules.at_least && *number < *rules.at_least) ||
      (rules.below && *number >= *rules.below) || (rules.at_most && *number > *rules.at_most);
  if (outside) reading.fail_with(found_text(node));
  return *number;
}

// 1e3 is as whole as 1000.
std::int64_t read_integer(const Reading& reading, const YamlNode& node) {
  const double number = read_number(reading, node);
  if (number != std::floor(number)) reading.fail_with(found_text(node));
  if (std::abs(number) > static_cast<double>(largest_whole_number))
    reading.fail_with(found_text(node),
                      fmt::format("that is too large, beyond {} either way; ", largest_whole_number));
  return static_cast<std::int64_t>(number);
}

bool read_boolean(const Reading& reading, const YamlNode& node) {
  const bool known = node.is_scalar() && !node.is_quoted;
  if (known && (node.text == "true" || node.text == "True")) return true;
  if (known && (node.text == "false" || node.text == "False")) return false;
  reading.fail_with(found_text(node));
}

std::string read_text(const Reading& reading, const YamlNode& node) {
  if (!node.is_scalar()) reading.fail_with(found_text(node));
  if (node.text.empty())
    fail(reading.entry.place, reading.entry.key, "is empty: expected " + expectation(reading.key));
  const auto& choices = reading.key.choices;
  const bool allowed =
      choices.empty() || std::find(choices.begin(), choices.end(), node.text) != choices.end();
  if (!allowed)
    reading.fail_with(shortened(node.text), reading.key.name == "fields" && node.text == heavy_scalar
                                                ? fmt::format("it is a field where the flow carries it, by "
                                                              "physics.scalars: [{}]; ",
                                                              heavy_scalar)
                                                : did_you_mean(node.text, choices));
  return node.text;
}

Scalar read_scalar(const Reading& reading, const YamlNode& node) {
  switch (reading.key.kind) {
    case Kind::boolean:
      return read_boolean(reading, node);
    case Kind::integer:
      return read_integer(reading, node);
    case Kind::number:
      return read_number(reading, node);
    case Kind::text:
      return read_text(reading, node);
  }
  return {};
}

/// A number, or what Key::may_vary says.
Value read_course(const Reading& reading, const YamlNode& node) {
  Value value;
  for (const YamlNode& knot : node.items) {
    if (!knot.is_list() || knot.items.size() != 2 || !parse_number(knot.items[0]) ||
        !parse_number(knot.items[1]))
      reading.fail_with("a list with " + found_text(knot));
    for (const YamlNode& number : knot.items) value.emplace_back(*parse_number(number));
  }
  if (node.is_scalar() && parse_number(node)) return {*parse_number(node)};
  if (node.is_scalar()) value = {read_text(reading, node)};
  if (value.empty()) reading.fail_with(found_text(node));
  if (const std::string flaw = reading.key.flaw(value); !flaw.empty())
    fail(reading.entry.place, reading.entry.key,
         fmt::format("found {}; expected {}: {}", found_text(node), expectation(reading.key), flaw));
  return value;
}

Index index_of(const Key& key, const std::string& path = {}) {
  Index index{{path, &key}};
  for (const Key& inner : key.keys) index.merge(index_of(inner, joined(path, inner.name)));
  return index;
}

std::vector<std::string> names_in(const Key& section) {
  std::vector<std::string> names;
  for (const Key& key : section.keys) names.push_back(key.name);
  return names;
}

// A key that stands in the wrong section is the likeliest mistake when no name nearby fits.
std::string where_it_belongs(const Key& root, const std::string& name) {
  std::string hint;
  for_each_key(root, [&](const std::string& path, const Key& key) {
    if (hint.empty() && key.name == name) hint = fmt::format("did you mean '{}'? ", path);
  });
  return hint;
}

[[noreturn]] void fail_unknown(const Index& index, const std::string& key, const std::string& place) {
  std::string section = key;
  while (!index.contains(section) || !index.at(section)->is_section())
    section.resize(section.find('.') == std::string::npos ? 0 : section.rfind('.'));
  const std::size_t begin = section.empty() ? 0 : section.size() + 1;
  const std::string name = key.substr(begin, key.find('.', begin) - begin);
  auto allowed = names_in(*index.at(section));
  std::sort(allowed.begin(), allowed.end());
  std::string hint = did_you_mean(name, allowed);
  if (hint.empty() && !lies_in(section, parts_section)) hint = where_it_belongs(*index.at(""), name);
  const std::string known =
      allowed.empty() ? "there are no parts" : fmt::format("allowed here: {}", fmt::join(allowed, ", "));
  fail(place, key, fmt::format("unknown key; {}{}", hint, known));
}

void require_known(const Index& index, const ConfigEntry& entry) {
  const auto& [name, value, place, is_removed] = entry;
  const auto known = index.find(name);
  if (known == index.end() || name.empty()) fail_unknown(index, name, place);
  const Key& key = *known->second;
  if (!key.is_section() && value.is_section())
    read_value(key, entry);  // throws: better than naming what it holds
  if (!key.is_section() || value.is_section() || value.is_null()) return;
  fail(place, name,
       fmt::format("found {}; expected {}", value.is_scalar() ? shortened(value.text) : "a list",
                   name == parts_section
                       ? "a section with a NAME: {...} for each part"
                       : fmt::format("a section with the keys: {}", fmt::join(names_in(key), ", "))));
}

[[noreturn]] void fail_missing(const std::string& place, const std::string& path, const Key& key) {
  fail(place, path, fmt::format("required key is missing; expected {}", expectation(key)));
}

// Without the problem's name its own keys can't be judged, but a misspelt "name" or "problem" can.
[[noreturn]] void fail_without_problem(const std::string& file, const ConfigDocument& document,
                                       const Key& keys, const Key& name) {
  const Index index = index_of(keys);
  for (const ConfigEntry& entry : document) {
    const std::string last = entry.key.substr(entry.key.rfind('.') + 1);
    const bool own_key = lies_in(entry.key, "problem") && did_you_mean(last, {"name"}).empty();
    if (!own_key && !lies_in(entry.key, parts_section)) require_known(index, entry);
  }
  const ConfigEntry* section = find_entry(document, "problem");
  fail_missing(section ? section->place : file, "problem.name", name);
}

void add_part(Config& config, const ConfigEntry& entry) {
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const std::size_t begin = std::string_view(parts_section).size() + 1;
  const std::string name = entry.key.substr(begin, entry.key.find('.', begin) - begin);
  if (name.empty() || name.find_first_not_of(allowed) != std::string::npos)
    fail(entry.place, entry.key, "a part's name becomes a folder: use letters, digits, _ and -");
  config.parts[name];
  if (config.parts.size() > most_parts)
    fail(entry.place, entry.key,
         fmt::format("more than {} parts, each a folder of its own: leave some out", most_parts));
}

}  // namespace

Value read_value(const Key& key, const ConfigEntry& entry) {
  const Reading reading{key, entry};
  const YamlNode& node = entry.value;
  if (node.is_null()) fail(entry.place, entry.key, "has no value: expected " + expectation(key));
  if (key.may_vary) return read_course(reading, node);
  if (!key.word.empty() && node.is_scalar() && node.text == key.word) return {};
  if (!key.is_list) return {read_scalar(reading, node)};
  const std::size_t length = key.length.value_or(node.items.size());
  if (!node.is_list() || node.items.size() != length || (length == 0 && !key.rules.may_be_empty))
    reading.fail_with(found_text(node));
  Value value;
  for (const YamlNode& item : node.items) value.push_back(read_scalar(reading, item));
  return value;
}

Key keys_for(const ConfigDocument& document, Config& config) {
  const Key common = config_keys(config);
  const Key& name = *common.find("problem")->find("name");
  const ConfigEntry* chosen = find_entry(document, "problem.name");
  if (!chosen) fail_without_problem(config.file, document, common, name);
  name.set(read_value(name, *chosen));
  config.problem_keys = find_problem(config.problem)->keys();
  // Whose names are those of keys and fields.
  if (const ConfigEntry* names = find_entry(document, "physics.scalars"); names && !names->is_removed) {
    const Key& scalars = *common.find("physics")->find("scalars");
    scalars.set(read_value(scalars, *names));
  }
  for (const ConfigEntry& entry : document)
    if (lies_in(entry.key, parts_section) && !entry.is_removed) add_part(config, entry);
  return config_keys(config);
}

std::set<std::string> read_given(const std::string& file, const ConfigDocument& document, const Key& keys) {
  const Index index = index_of(keys);
  std::set<std::string> given;
  for (const ConfigEntry& entry : document) require_known(index, entry);
  for (const ConfigEntry& entry : document) {
    const Key& key = *index.at(entry.key);
    if (key.is_section() || entry.is_removed) continue;
    key.set(read_value(key, entry));
    given.insert(entry.key);
  }
  for_each_key(keys, [&](const std::string& path, const Key& key) {
    if (key.rules.is_required && !given.contains(path)) fail_missing(file, path, key);
  });
  return given;
}

}  // namespace tayra
