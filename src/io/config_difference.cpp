// Both texts as flat lists of keys; resolved configs spell equal values alike.
#include "io/config_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "io/config.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {
namespace {

using FlatConfig = std::map<std::string, std::string>;

std::string text_of(const YamlNode& node) {
  if (node.is_null()) return "null";
  if (node.is_scalar()) return node.text;
  std::vector<std::string> texts;
  for (const auto& item : node.items) texts.push_back(text_of(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void flatten(const YamlNode& node, const std::string& key, FlatConfig& flat) {
  if (!node.is_section()) flat[key] = text_of(node);
  for (const auto& [name, value] : node.entries)
    flatten(value, key.empty() ? name.text : key + "." + name.text, flat);
}

FlatConfig physics_of(const std::string& text) {
  FlatConfig flat;
  try {
    flatten(parse_yaml(text).value_or(YamlNode()), "", flat);
  } catch (const YamlMistake& mistake) {
    throw Error(ExitCode::bad_input,
                fmt::format("the config to go on from can't be read ({})", mistake.what()));
  }
  std::erase_if(flat, [](const auto& entry) {
    const std::string section = entry.first.substr(0, entry.first.find('.'));
    return std::find(flow_sections.begin(), flow_sections.end(), section) == flow_sections.end();
  });
  return flat;
}

std::string value_in(const FlatConfig& flat, const std::string& key) {
  const auto found = flat.find(key);
  return found == flat.end() ? "not given" : found->second;
}

}  // namespace

std::vector<std::string> differing_keys(const std::string& there, const std::string& here) {
  const FlatConfig old_values = physics_of(completed_flow(there)), new_values = physics_of(here);
  std::set<std::string> keys;
  for (const auto& values : {old_values, new_values})
    for (const auto& [key, value] : values) keys.insert(key);
  std::vector<std::string> differing;
  for (const std::string& key : keys) {
    const std::string before = value_in(old_values, key), now = value_in(new_values, key);
    if (before != now) differing.push_back(fmt::format("{} is {} there, {} here", key, before, now));
  }
  return differing;
}

}  // namespace tayra
