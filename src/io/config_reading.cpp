// An unknown key is told before any wrong value: it may be why the value is wrong.
#include "io/config_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/printable.hpp"
#include "io/config_keys.hpp"
#include "io/config_value.hpp"

namespace tayra {
namespace {

constexpr std::size_t most_parts = 1000;

/// Keys and sections, by path.
using Index = std::map<std::string, const Key*>;

[[noreturn]] void fail(const std::string& place, const std::string& key, const std::string& problem) {
  throw Error(ExitCode::bad_input, fmt::format("{}: {}: {}", place, key, problem));
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

Key keys_for(const ConfigDocument& document, Config& config) {
  const Key common = config_keys(config);
  const Key& name = *common.find("problem")->find("name");
  const ConfigEntry* chosen = find_entry(document, "problem.name");
  if (!chosen) fail_without_problem(config.file, document, common, name);
  name.set(read_value(name, *chosen));
  config.problem_keys = find_problem(config.problem)->keys();
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
