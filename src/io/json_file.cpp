// By the YAML library: every JSON text is YAML, too.
#include "io/json_file.hpp"

#include <cstdint>

#include "core/error.hpp"
#include "core/number_in.hpp"

namespace tayra {
namespace {

Json scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  const bool quoted = node.Tag() == "!";
  if (quoted) return text;
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = number_in<std::int64_t>(text)) return *whole;
  if (const auto number = number_in<double>(text)) return *number;
  return text;
}

}  // namespace

Json json_of(const YAML::Node& node) {
  if (!node || node.IsNull()) return {};
  if (node.IsScalar()) return scalar(node);
  Json json = node.IsMap() ? Json::object() : Json::array();
  if (node.IsMap())
    for (const auto& entry : node) json.set(entry.first.Scalar(), json_of(entry.second));
  else
    for (const auto& element : node) json.push(json_of(element));
  return json;
}

Json read_json_file(const std::string& path) {
  try {
    return json_of(YAML::LoadFile(path));
  } catch (const YAML::Exception& error) {
    throw Error(ExitCode::bad_input, path + " can't be read as JSON (" + error.what() + ")");
  }
}

}  // namespace tayra
