// By the reader of configs: every JSON text is YAML, too.
#include "io/json_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "core/error.hpp"
#include "core/number_in.hpp"
#include "io/text_file.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {
namespace {

constexpr std::size_t largest_file = 1
                                     << 20;  // run.json has some kilobytes, bench files up to a quarter of it

Json scalar(const YamlNode& node) {
  const std::string& text = node.text;
  if (node.is_quoted) return text;
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = number_in<std::int64_t>(text)) return *whole;
  if (const auto number = number_in<double>(text)) return *number;
  return text;
}

Json json_of(const YamlNode& node) {
  if (node.is_null()) return {};
  if (node.is_scalar()) return scalar(node);
  if (node.is_list()) {
    Json array = Json::array();
    for (const YamlNode& item : node.items) array.push(json_of(item));
    return array;
  }
  std::vector<std::pair<std::string, Json>> entries;
  for (const auto& [key, value] : node.entries) entries.emplace_back(key.text, json_of(value));
  return Json::object(std::move(entries));
}

}  // namespace

Json read_json_file(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw Error(ExitCode::bad_input, fmt::format("{} can't be read as JSON ({})", path, why));
  };
  const auto text = text_of_small_file(path, largest_file);
  if (!text) fail("it is no file of at most 1 MiB, or closed to you");
  try {
    return json_of(parse_yaml(*text).value_or(YamlNode()));
  } catch (const YamlMistake& mistake) {
    fail(fmt::format("line {}: {}", mistake.line(), mistake.what()));
  }
  return {};
}

}  // namespace tayra
