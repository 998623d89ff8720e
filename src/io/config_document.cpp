// YAML to keys. yaml-cpp takes a key twice and tabs in places without a word, so both are looked for here.
#include "io/config_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "core/error.hpp"
#include "io/config_schema.hpp"

namespace tayra {
namespace {

constexpr std::size_t largest_file = 1 << 20;

/// Says where a line of the text is.
using Placer = std::function<std::string(int line)>;

[[noreturn]] void fail(const std::string& place, const std::string& problem) {
  throw Error(ExitCode::bad_input, place + ": " + problem);
}

std::string read_text(const std::string& file) {
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  if (!std::filesystem::exists(status)) fail(file, "no such file");
  if (std::filesystem::is_directory(status)) fail(file, "is a directory: name a YAML file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(file, fmt::format("can't be read ({})", std::strerror(errno)));
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.find('\0') != std::string::npos) fail(file, "is not a text file: name a YAML file");
  if (text.size() > largest_file) fail(file, "is larger than 1 MiB, which no config is: name a YAML file");
  return text;
}

void refuse_tabs(const std::string& text, const Placer& place) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t content = line.find_first_not_of(" \t\r");
    if (content == std::string::npos || line[content] == '#') continue;
    if (line.find('\t') < content) fail(place(number), "indented with a tab (YAML allows none): use spaces");
  }
}

YAML::Node parse(const std::string& text, const Placer& place) {
  try {
    const auto documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      fail(place(std::max(1, documents[1].Mark().line + 1)), "a second YAML document starts here");
    return documents.empty() ? YAML::Node() : documents.front();
  } catch (const YAML::Exception& error) {  // Error, thrown by fail(), is not one
    const auto where = error.mark.is_null() ? place(1) : place(error.mark.line + 1);
    fail(where, fmt::format("not valid YAML ({}, column {})", error.msg, error.mark.column + 1));
  }
}

std::string name_of(const YAML::Node& key, const std::string& place) {
  if (!key.IsScalar()) fail(place, "a key must be a plain name");
  const std::string& name = key.Scalar();
  const auto dot = name.find('.');
  if (dot == std::string::npos) return name;
  const bool is_path = std::regex_match(name, std::regex("\\w+(\\.\\w+)+"));
  fail(place, is_path ? fmt::format("{}: keys are nested, not dotted: write {}: {{{}: ...}}", name,
                                    name.substr(0, dot), name.substr(dot + 1))
                      : name + ": no key has a dot in its name");
}

void append_section(ConfigDocument& document, const std::string& prefix, const YAML::Node& section,
                    const Placer& place) {
  constexpr int deepest = 16;  // an alias that holds itself has no end
  std::map<std::string, int> lines;
  for (const auto& pair : section) {
    const int line = pair.first.Mark().line + 1;
    if (std::count(prefix.begin(), prefix.end(), '.') > deepest)
      fail(place(line), prefix + ": sections are nested too deeply: does an alias contain itself?");
    const std::string key = prefix + name_of(pair.first, place(line));
    const auto [first, is_new] = lines.emplace(key, line);
    if (!is_new)
      fail(place(line), fmt::format("{}: given twice, first in line {}: remove one", key, first->second));
    document.push_back({key, pair.second, place(line)});
    if (pair.second.IsMap()) append_section(document, key + ".", pair.second, place);
  }
}

/// Built anew: nodes that move up would be assigned to, which writes through to every alias of the old ones.
template <class Goes>
bool take_out(ConfigDocument& document, const Goes& goes) {
  ConfigDocument left;
  std::remove_copy_if(document.begin(), document.end(), std::back_inserter(left), goes);
  const bool took_any = left.size() < document.size();
  document.swap(left);
  return took_any;
}

}  // namespace

ConfigDocument read_config_file(const std::string& file) { return read_config_text(read_text(file), file); }

ConfigDocument read_config_text(const std::string& text, const std::string& name) {
  const Placer place = [&](int line) { return fmt::format("{}:{}", name, line); };
  refuse_tabs(text, place);
  const YAML::Node root = parse(text, place);
  if (!root.IsDefined() || root.IsNull()) fail(name, "is empty: a config names a problem, a grid and a run");
  if (!root.IsMap())
    fail(place(root.Mark().line + 1), "not a config: expected keys and values, like 'run: {steps: 10}'");
  ConfigDocument document;
  append_section(document, "", root, place);
  return document;
}

ConfigDocument read_override(const Override& override_) {
  const Placer place = [&](int) { return override_.place; };
  const YAML::Node value = parse(override_.value, place);
  ConfigDocument document{{override_.key, value, override_.place}};
  if (value.IsMap()) append_section(document, override_.key + ".", value, place);
  const bool holds_nothing = value.Mark().is_null();  // a comment at most: no null was written
  if (holds_nothing) fail(override_.place, override_.key + ": has no value: write null to remove the key");
  document.front().taken_away = value.IsNull() && override_.null_takes_away;
  return document;
}

void lay_over(ConfigDocument& document, const ConfigDocument& over) {
  for (const auto& entry : over) {
    const auto is_same = [&](const ConfigEntry& old) { return old.key == entry.key; };
    const auto is_within = [&](const ConfigEntry& old) { return old.key.starts_with(entry.key + "."); };
    // The names in it are the user's: who gives them means these and no others.
    if (entry.key == parts_section) take_out(document, is_within);
    if (entry.taken_away && take_out(document, [&](const ConfigEntry& old) {
          return !old.taken_away && (is_same(old) || is_within(old));
        }))
      continue;
    const auto same = std::find_if(document.begin(), document.end(), is_same);
    if (same == document.end()) {
      document.push_back(entry);
    } else {
      same->value.reset(entry.value);  // assigned, it would write through to every alias of the old node
      same->place = entry.place;
      same->taken_away = entry.taken_away;
    }
  }
}

}  // namespace tayra
