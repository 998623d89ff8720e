// The keys as JSON schema.
#include <algorithm>
#include <array>

#include "io/config_keys.hpp"
#include "io/config_reading.hpp"

namespace tayra {
namespace {

using Texts = std::vector<std::string>;

Json element_schema(const Key& key) {
  constexpr std::array types{"boolean", "integer", "number", "string"};  // in the order of Kind
  Json schema = Json::object().set("type", types[static_cast<std::size_t>(key.kind)]);
  if (!key.choices.empty()) schema.set("enum", key.choices);
  const bool whole = key.kind == Kind::integer;
  // A directory may be called 2024 or true, which YAML takes for something else than text.
  if (key.kind == Kind::text && key.choices.empty())
    schema.set("type", Texts{"string", "number", "boolean"}).set("minLength", 1);
  if (key.rules.above) schema.set("exclusiveMinimum", *key.rules.above);
  if (key.rules.at_least)
    schema.set("minimum", *key.rules.at_least);
  else if (whole)
    schema.set("minimum", -largest_whole_number);
  if (key.rules.below) schema.set("exclusiveMaximum", *key.rules.below);
  if (key.rules.at_most)
    schema.set("maximum", *key.rules.at_most);
  else if (whole)
    schema.set("maximum", largest_whole_number);
  return schema;
}

Json key_schema(const Key& key) {
  Json schema = element_schema(key);
  if (key.may_vary) {
    const Json number = Json::object().set("type", "number"), text = Json::object().set("type", "string");
    const Json knot = Json::object().set("type", "array").set("items", number);
    const Json table = Json::object().set("type", "array").set("minItems", 1);
    const auto two = [](Json list) { return list.set("minItems", 2).set("maxItems", 2); };
    schema = Json::object().set("anyOf", Json::array()
                                             .push(number)
                                             .push(Json(text).set("minLength", 1))
                                             .push(Json(table).set("items", two(knot))));
  }
  if (!key.word.empty())
    schema =
        Json::object().set("anyOf", Json::array().push(schema).push(Json::object().set("const", key.word)));
  if (key.is_list) {
    schema = Json::object().set("type", "array").set("items", schema);
    schema.set("minItems", key.length.value_or(key.rules.may_be_empty ? 0 : 1));
    if (key.length) schema.set("maxItems", *key.length);
    if (key.kind == Kind::text) schema.set("uniqueItems", true);
  }
  schema.set("description", key.meaning);
  if (has_default(key)) schema.set("default", json_value(key));
  return schema;
}

/// Whether a section's keys have names of the user's.
bool is_named_by_user(const Key& section) { return section.name == "parts" || section.name == "scalars"; }

bool holds_required_key(const Key& key) {
  if (key.is_section() && is_named_by_user(key)) return false;
  return key.rules.is_required || std::any_of(key.keys.begin(), key.keys.end(), holds_required_key);
}

Json section_schema(const Key& section) {
  Json properties = Json::object();
  Texts required;
  for (const Key& key : section.keys) {
    properties.set(key.name, key.is_section() ? section_schema(key) : key_schema(key));
    if (holds_required_key(key)) required.push_back(key.name);
  }
  Json schema = Json::object();
  // A section whose keys are all commented out reads as null.
  schema.set("type", required.empty() ? Json(Texts{"object", "null"}) : Json("object"));
  // Any name of a file may stand for that of a part, with the same keys under each.
  if (section.is_section() && is_named_by_user(section))
    return schema.set("type", Texts{"object", "null"})
        .set("propertyNames", Json::object().set("pattern", "^[A-Za-z0-9_-]+$"))
        .set("additionalProperties", properties.entries().front().second);
  schema.set("properties", properties).set("additionalProperties", false);
  if (!required.empty()) schema.set("required", required);
  return schema;
}

/// Which keys stand beside `name` depends on it.
Json problem_schema(const Key& name) {
  Json cases = Json::array();
  for (const ProblemEntry& entry : problem_registry()) {
    Config config;
    config.problem_keys = entry.keys();
    config.solver.scalars = {"NAME"};
    const Json chosen = Json::object().set("name", Json::object().set("const", entry.name));
    cases.push(Json::object()
                   .set("if", Json::object().set("properties", chosen).set("required", Texts{"name"}))
                   .set("then", section_schema(*config_keys(config).find("problem"))));
  }
  return Json::object()
      .set("type", "object")
      .set("properties", Json::object().set("name", key_schema(name)))
      .set("required", Texts{"name"})
      .set("allOf", cases);
}

/// What a flow needs besides: one end of two.
Json with_an_end(Json run) {
  const auto needs = [](const char* name) { return Json::object().set("required", Texts{name}); };
  return run.set("type", "object").set("anyOf", Json::array().push(needs("time")).push(needs("steps")));
}

}  // namespace

std::string config_json_schema() {
  Config config = config_of_documents();
  Json properties = Json::object();
  for (const Key& section : config_keys(config).keys) {
    const Json schema = section_schema(section);
    properties.set(section.name, section.name == "problem" ? problem_schema(*section.find("name"))
                                 : section.name == "run"   ? with_an_end(schema)
                                                           : schema);
  }
  Json schema = Json::object();
  schema.set("$schema", "http://json-schema.org/draft-07/schema#");
  schema.set("title", "Tayra config").set("type", "object").set("properties", properties);
  schema.set("required", Texts{"problem", "grid", "run"}).set("additionalProperties", false);
  return schema.text() + "\n";
}

}  // namespace tayra
