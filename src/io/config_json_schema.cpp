// The table of keys as JSON schema.
#include "io/config_json_schema.hpp"

#include <algorithm>

#include "io/config_schema.hpp"
#include "io/config_value.hpp"
#include "io/json.hpp"

namespace tayra {
namespace {

using Texts = std::vector<std::string>;

const char* json_type(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
    case Kind::integers:
      return "integer";
    case Kind::number:
    case Kind::numbers:
      return "number";
    case Kind::text:
    case Kind::texts:
      return "string";
  }
  return "";
}

struct ToJson {
  Json operator()(std::monostate) const { return {}; }
  template <class T>
  Json operator()(const T& value) const {
    return Json(value);
  }
};

Json element_schema(const Parameter& key) {
  Json schema = Json::object();
  schema.set("type", json_type(key.kind));
  if (!key.choices.empty()) schema.set("enum", key.choices);
  const bool whole = key.kind == Kind::integer || key.kind == Kind::integers;
  const bool free_text = key.kind == Kind::text && key.choices.empty();
  // A directory may be called 2024 or true, which YAML takes for something else than text.
  if (free_text) schema.set("type", Texts{"string", "number", "boolean"}).set("minLength", 1);
  if (key.range.above) schema.set("exclusiveMinimum", *key.range.above);
  if (key.range.at_least)
    schema.set("minimum", *key.range.at_least);
  else if (whole)
    schema.set("minimum", -largest_whole_number);
  if (key.range.below) schema.set("exclusiveMaximum", *key.range.below);
  if (key.range.at_most)
    schema.set("maximum", *key.range.at_most);
  else if (whole)
    schema.set("maximum", largest_whole_number);
  return schema;
}

Json key_schema(const Parameter& key) {
  Json schema = element_schema(key);
  if (is_list(key.kind)) {
    schema = Json::object().set("type", "array").set("items", schema);
    schema.set("minItems", key.length.value_or(1));
    if (key.length) schema.set("maxItems", *key.length);
    if (key.kind == Kind::texts) schema.set("uniqueItems", true);
  }
  schema.set("description", key.meaning);
  if (!std::holds_alternative<std::monostate>(key.fallback))
    schema.set("default", std::visit(ToJson{}, key.fallback));
  return schema;
}

std::string joined(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

bool holds_required_key(const ConfigSchema& table, const std::string& name) {
  return std::any_of(table.keys().begin(), table.keys().end(), [&](const Parameter& key) {
    return key.required && (key.name == name || key.name.starts_with(name + "."));
  });
}

Json section_schema(const ConfigSchema& table, const std::string& section);

/// Any name that part_names() takes may stand here, with the same keys under each.
Json named_schema(const ConfigSchema& table, const std::string& section) {
  const std::string any = table.names_in(section).front();
  return Json::object()
      .set("type", Texts{"object", "null"})
      .set("propertyNames", Json::object().set("pattern", "^[A-Za-z0-9_-]+$"))
      .set("additionalProperties", section_schema(table, joined(section, any)));
}

Json section_schema(const ConfigSchema& table, const std::string& section) {
  if (section == parts_section) return named_schema(table, section);
  Json properties = Json::object();
  Texts required;
  for (const auto& name : table.names_in(section)) {
    const std::string path = joined(section, name);
    const Parameter* key = table.find(path);
    properties.set(name, key ? key_schema(*key) : section_schema(table, path));
    if (holds_required_key(table, path)) required.push_back(name);
  }
  Json schema = Json::object();
  // A section whose keys are all commented out reads as null.
  schema.set("type", required.empty() ? Json(Texts{"object", "null"}) : Json("object"));
  schema.set("properties", properties).set("additionalProperties", false);
  if (!required.empty()) schema.set("required", required);
  return schema;
}

// Which keys stand beside `name` depends on it.
Json problem_schema() {
  const ConfigSchema common;
  Json cases = Json::array();
  for (const auto& entry : problem_registry()) {
    const Json chosen = Json::object().set("name", Json::object().set("const", entry.name));
    cases.push(Json::object()
                   .set("if", Json::object().set("properties", chosen).set("required", Texts{"name"}))
                   .set("then", section_schema(ConfigSchema(entry), "problem")));
  }
  return Json::object()
      .set("type", "object")
      .set("properties", Json::object().set("name", key_schema(*common.find("problem.name"))))
      .set("required", Texts{"name"})
      .set("allOf", cases);
}

}  // namespace

std::string config_json_schema() {
  const ConfigSchema table;
  Json properties = Json::object();
  for (const auto& section : table.names_in("")) properties.set(section, section_schema(table, section));
  properties.set("problem", problem_schema());
  const auto needs = [](const char* name) { return Json::object().set("required", Texts{name}); };
  Json run = section_schema(table, "run");
  run.set("type", "object").set("anyOf", Json::array().push(needs("time")).push(needs("steps")));
  properties.set("run", run);
  Json schema = Json::object();
  schema.set("$schema", "http://json-schema.org/draft-07/schema#");
  schema.set("title", "Tayra config").set("type", "object").set("properties", properties);
  schema.set("required", Texts{"problem", "grid", "run"}).set("additionalProperties", false);
  return schema.text() + "\n";
}

}  // namespace tayra
