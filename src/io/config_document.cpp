// YAML to keys. yaml-cpp takes a key twice and tabs in places without a word, so both are looked for here.
#include "io/config_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/printable.hpp"
#include "io/config_keys.hpp"
#include "io/file.hpp"

namespace tayra {
namespace {

// Of 1 MiB the YAML library makes 240 MB where each byte is a bracket.
constexpr std::size_t largest_file = 256 << 10;
constexpr std::size_t longest_key = 300;  // a part's name, a folder, has 255 letters at most

[[noreturn]] void fail(const std::string& place, const std::string& problem) {
  throw Error(ExitCode::bad_input, place + ": " + problem);
}

std::string read_text(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) fail(file, "no such file");
  if (const std::string other = other_than_file(file); !other.empty())
    fail(file, fmt::format("is {}: name a YAML file", other));
  const auto text = beginning_of_file(file, largest_file + 1);
  if (!text) fail(file, fmt::format("can't be read ({})", std::strerror(errno)));
  if (text->find('\0') != std::string::npos) fail(file, "is not a text file: name a YAML file");
  if (text->size() > largest_file) fail(file, "is larger than 256 KiB, which no config is: name a YAML file");
  return *text;
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

/// "numerics.cfl", as --set takes it.
bool is_path(const std::string& name) {
  constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  return name.find_first_not_of(letters) == std::string::npos && name.find("..") == std::string::npos &&
         name.front() != '.' && name.back() != '.';
}

const std::string& name_of(const YamlNode& key, const std::string& place) {
  if (!key.is_scalar()) fail(place, "a key must be a plain name");
  const std::string& name = key.text;
  const auto dot = name.find('.');
  if (dot == std::string::npos) return name;
  fail(place, is_path(name)
                  ? fmt::format("{}: keys are nested, not dotted: write {}: {{{}: ...}}", shortened(name),
                                name.substr(0, dot), shortened(name.substr(dot + 1)))
                  : shortened(name) + ": no key has a dot in its name");
}

void add_section(ConfigDocument& document, const std::string& prefix, const YamlNode& section,
                 const Placer& place);

/// The key, and those that its value holds.
void add_entry(ConfigDocument& document, const std::string& key, const YamlNode& value,
               const std::string& written, const Placer& place) {
  if (key.size() > longest_key)
    fail(written, fmt::format("{}: no key has more than {} letters", shortened(key), longest_key));
  document.push_back({key, value.is_section() ? YamlNode{.kind = YamlNode::Kind::section} : value, written});
  add_section(document, key + ".", value, place);
}

void add_section(ConfigDocument& document, const std::string& prefix, const YamlNode& section,
                 const Placer& place) {
  std::map<std::string_view, int> lines;
  for (const auto& [name, value] : section.entries) {
    const std::string written = place(name.line), key = prefix + name_of(name, written);
    const auto [first, is_new] = lines.emplace(name.text, name.line);
    if (!is_new)
      fail(written,
           fmt::format("{}: given twice, first in line {}: remove one", shortened(key), first->second));
    add_entry(document, key, value, written, place);
  }
}

/// Puts a value over that of the same key, or takes the key away with all that it holds.
void lay_over(ConfigDocument& document, const Override& override_) {
  const std::string& key = override_.key;
  const Placer place = [&](int) { return override_.place; };
  const auto value = parse_yaml(override_.value, place);
  if (!value) fail(override_.place, key + ": has no value: write null to remove the key");
  ConfigDocument over;
  add_entry(over, key, *value, override_.place, place);
  std::set<std::string_view> keys;
  for (const ConfigEntry& entry : over) keys.insert(entry.key);
  // The names in it are the user's: who gives them means these and no others.
  if (keys.contains(parts_section))
    std::erase_if(document, [](const ConfigEntry& entry) { return lies_in(entry.key, parts_section); });
  if (value->is_null() && override_.null_takes_away) {
    const auto is_taken = [&](const ConfigEntry& entry) {
      return !entry.is_removed && (entry.key == key || lies_in(entry.key, key));
    };
    if (std::erase_if(document, is_taken) > 0) return;
    over.front().is_removed = true;
  }
  std::erase_if(document, [&](const ConfigEntry& entry) { return keys.contains(entry.key); });
  std::move(over.begin(), over.end(), std::back_inserter(document));
}

}  // namespace

ConfigDocument read_config_file(const std::string& file, const std::vector<Override>& overrides) {
  ConfigDocument document = read_config_text(read_text(file), file);
  for (const Override& override_ : overrides) lay_over(document, override_);
  return document;
}

ConfigDocument read_config_text(const std::string& text, const std::string& name) {
  const Placer place = [&](int line) { return fmt::format("{}:{}", name, line); };
  refuse_tabs(text, place);
  const auto root = parse_yaml(text, place);
  if (!root || root->is_null()) fail(name, "is empty: a config names a problem, a grid and a run");
  if (!root->is_section())
    fail(place(root->line), "not a config: expected keys and values, like 'run: {steps: 10}'");
  ConfigDocument document;
  add_section(document, "", *root, place);
  return document;
}

std::vector<std::string> rename_old_keys(ConfigDocument& document) {
  constexpr std::pair<const char*, const char*> renamed[] = {{"run.patience", "run.timeout"}};
  std::vector<std::string> notes;
  for (const auto& [old_name, name] : renamed) {
    const auto old =
        std::find_if(document.begin(), document.end(),
                     [&old_name = old_name](const ConfigEntry& entry) { return entry.key == old_name; });
    if (old == document.end()) continue;
    notes.push_back(fmt::format("{}: {} is called {} today", old->place, old_name, name));
    if (find_entry(document, name) != nullptr)
      document.erase(old);
    else
      old->key = name;
  }
  return notes;
}

const ConfigEntry* find_entry(const ConfigDocument& document, const std::string& key) {
  const auto found = std::find_if(document.begin(), document.end(),
                                  [&](const ConfigEntry& entry) { return entry.key == key; });
  return found == document.end() ? nullptr : &*found;
}

bool lies_in(std::string_view key, std::string_view section) {
  return key.size() > section.size() && key[section.size()] == '.' && key.starts_with(section);
}

}  // namespace tayra
