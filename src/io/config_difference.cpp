// Both texts as flat lists of keys; resolved configs spell equal values alike.
#include "io/config_difference.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>

#include "io/config.hpp"

namespace tayra {
namespace {

using FlatConfig = std::map<std::string, std::string>;

void flatten(const YAML::Node& node, const std::string& key, FlatConfig& flat) {
  if (node.IsMap()) {
    for (const auto& pair : node)
      flatten(pair.second, key.empty() ? pair.first.Scalar() : key + "." + pair.first.Scalar(), flat);
    return;
  }
  YAML::Emitter text;
  text << YAML::Flow << node;
  flat[key] = text.c_str();
}

FlatConfig physics_of(const std::string& text) {
  FlatConfig flat;
  flatten(YAML::Load(text), "", flat);
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
