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
#include <limits>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/printable.hpp"
#include "io/config_schema.hpp"
#include "io/text_file.hpp"

namespace tayra {
namespace {

// Of 1 MiB the YAML library makes 240 MB where each byte is a bracket.
constexpr std::size_t largest_file = 256 << 10;
constexpr std::size_t longest_key = 300;  // a part's name, a folder, has 255 letters at most
constexpr int behind_all = std::numeric_limits<int>::max();

/// Says where a line of the text is.
using Placer = std::function<std::string(int line)>;

[[noreturn]] void fail(const std::string& place, const std::string& problem) {
  throw Error(ExitCode::bad_input, place + ": " + problem);
}

std::string read_text(const std::string& file) {
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  if (!std::filesystem::exists(status)) fail(file, "no such file");
  if (const std::string other = other_than_file(file); !other.empty())
    fail(file, fmt::format("is {}: name a YAML file", other));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(file, fmt::format("can't be read ({})", std::strerror(errno)));
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.find('\0') != std::string::npos) fail(file, "is not a text file: name a YAML file");
  if (text.size() > largest_file) fail(file, "is larger than 256 KiB, which no config is: name a YAML file");
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

std::optional<YamlNode> parse(const std::string& text, const Placer& place) {
  try {
    return parse_yaml(text);
  } catch (const YamlMistake& mistake) {
    fail(place(mistake.line()), mistake.what());
  }
}

/// "numerics.cfl", as --set takes it.
bool is_path(const std::string& name) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  return name.find_first_not_of(letters) == std::string::npos && name.find("..") == std::string::npos &&
         name.front() != '.' && name.back() != '.';
}

std::string name_of(const YamlNode& key, const std::string& place) {
  if (!key.is_scalar()) fail(place, "a key must be a plain name");
  const std::string& name = key.text;
  const auto dot = name.find('.');
  if (dot == std::string::npos) return name;
  fail(place, is_path(name)
                  ? fmt::format("{}: keys are nested, not dotted: write {}: {{{}: ...}}", shortened(name),
                                name.substr(0, dot), shortened(name.substr(dot + 1)))
                  : shortened(name) + ": no key has a dot in its name");
}

void add_entry(ConfigDocument& document, const std::string& key, ConfigEntry entry) {
  if (key.size() > longest_key)
    fail(entry.place, fmt::format("{}: no key has more than {} letters", shortened(key), longest_key));
  if (entry.value.is_section()) entry.value = {.kind = YamlNode::Kind::section};
  document.emplace(key, std::move(entry));
}

void append_section(ConfigDocument& document, const std::string& prefix, const YamlNode& section,
                    const Placer& place) {
  std::map<std::string, int> lines;
  for (const auto& [name, value] : section.entries) {
    const std::string key = prefix + name_of(name, place(name.line));
    const auto [first, is_new] = lines.emplace(name.text, name.line);
    if (!is_new)
      fail(place(name.line),
           fmt::format("{}: given twice, first in line {}: remove one", shortened(key), first->second));
    add_entry(document, key, {value, place(name.line), name.line});
    append_section(document, key + ".", value, place);
  }
}

bool was_there(const NamedEntry& entry) { return !entry.second.taken_away; }

/// What the section holds, but not itself.
template <class Goes>
bool take_out(ConfigDocument& document, const std::string& section, const Goes& goes) {
  const auto end = document.lower_bound(section + '/');  // the letter behind the dot
  bool took_any = false;
  for (auto entry = document.lower_bound(section + '.'); entry != end;) {
    const bool taken = goes(*entry);
    entry = taken ? document.erase(entry) : std::next(entry);
    took_any = took_any || taken;
  }
  return took_any;
}

/// The key with all that it holds; whether anything was there.
bool take_away(ConfigDocument& document, const std::string& key) {
  const bool held_any = take_out(document, key, was_there);
  const auto entry = document.find(key);
  if (entry == document.end() || !was_there(*entry)) return held_any;
  document.erase(entry);
  return true;
}

}  // namespace

ConfigDocument read_config_file(const std::string& file) { return read_config_text(read_text(file), file); }

ConfigDocument read_config_text(const std::string& text, const std::string& name) {
  const Placer place = [&](int line) { return fmt::format("{}:{}", name, line); };
  refuse_tabs(text, place);
  const auto root = parse(text, place);
  if (!root || root->is_null()) fail(name, "is empty: a config names a problem, a grid and a run");
  if (!root->is_section())
    fail(place(root->line), "not a config: expected keys and values, like 'run: {steps: 10}'");
  ConfigDocument document;
  append_section(document, "", *root, place);
  return document;
}

ConfigDocument read_override(const Override& override_) {
  const Placer place = [&](int) { return override_.place; };
  const auto value = parse(override_.value, place);
  if (!value) fail(override_.place, override_.key + ": has no value: write null to remove the key");
  ConfigDocument document;
  add_entry(document, override_.key, {*value, override_.place, behind_all});
  append_section(document, override_.key + ".", *value, place);
  for (auto& [key, entry] : document) entry.line = behind_all;
  document.at(override_.key).taken_away = value->is_null() && override_.null_takes_away;
  return document;
}

void lay_over(ConfigDocument& document, const ConfigDocument& over) {
  for (const auto& [key, entry] : over) {
    // The names in it are the user's: who gives them means these and no others.
    if (key == parts_section) take_out(document, key, [](const NamedEntry&) { return true; });
    if (entry.taken_away && take_away(document, key)) continue;
    document.insert_or_assign(key, entry);
  }
}

std::vector<const NamedEntry*> in_order(const ConfigDocument& document) {
  std::vector<const NamedEntry*> entries;
  for (const auto& entry : document) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(), [](const NamedEntry* one, const NamedEntry* other) {
    return one->second.line < other->second.line;
  });
  return entries;
}

}  // namespace tayra
