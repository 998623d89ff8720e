// Strict about types, ranges and choices; friendly about 1e3 as a whole number.
#include "io/config_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/number_in.hpp"
#include "core/printable.hpp"

namespace tayra {
namespace {

/// A value being read, for messages.
struct Reading {
  const Key& key;
  const ConfigEntry& entry;

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ExitCode::bad_input, fmt::format("{}: {}: {}", entry.place, entry.key, problem));
  }
  [[noreturn]] void fail_with(const std::string& found, const std::string& hint = "") const {
    fail(fmt::format("found {}; {}expected {}", found, hint, expectation(key)));
  }
};

std::string found_text(const YamlNode& node) {
  if (node.is_list()) return fmt::format("a list of {}", node.items.size());
  if (node.is_section()) return "a section";
  if (node.is_null()) return "nothing";
  return shortened(node.is_quoted ? "\"" + node.text + "\"" : node.text);
}

std::optional<double> parse_number(const YamlNode& node) {
  if (!node.is_scalar() || node.is_quoted) return std::nullopt;
  std::string_view text = node.text;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto number = number_in<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

double read_number(const Reading& reading, const YamlNode& node) {
  const auto number = parse_number(node);
  const bool needless_quotes = node.is_scalar() && node.is_quoted;
  if (!number) reading.fail_with(found_text(node), needless_quotes ? "a number stands without quotes; " : "");
  const Rules& rules = reading.key.rules;
  const bool outside =
      (rules.above && *number <= *rules.above) || (rules.at_least && *number < *rules.at_least) ||
      (rules.below && *number >= *rules.below) || (rules.at_most && *number > *rules.at_most);
  if (outside) reading.fail_with(found_text(node));
  return *number;
}

// 1e3 is as whole as 1000.
std::int64_t read_integer(const Reading& reading, const YamlNode& node) {
  const double number = read_number(reading, node);
  if (number != std::floor(number)) reading.fail_with(found_text(node));
  if (std::abs(number) > static_cast<double>(largest_whole_number))
    reading.fail_with(found_text(node),
                      fmt::format("that is too large, beyond {} either way; ", largest_whole_number));
  return static_cast<std::int64_t>(number);
}

bool read_boolean(const Reading& reading, const YamlNode& node) {
  const bool known = node.is_scalar() && !node.is_quoted;
  if (known && (node.text == "true" || node.text == "True")) return true;
  if (known && (node.text == "false" || node.text == "False")) return false;
  reading.fail_with(found_text(node));
}

std::string read_text(const Reading& reading, const YamlNode& node) {
  if (!node.is_scalar()) reading.fail_with(found_text(node));
  if (node.text.empty()) reading.fail("is empty: expected " + expectation(reading.key));
  const auto& choices = reading.key.choices;
  const bool allowed =
      choices.empty() || std::find(choices.begin(), choices.end(), node.text) != choices.end();
  if (!allowed) reading.fail_with(shortened(node.text), did_you_mean(node.text, choices));
  return node.text;
}

Scalar read_scalar(const Reading& reading, const YamlNode& node) {
  switch (reading.key.kind) {
    case Kind::boolean:
      return read_boolean(reading, node);
    case Kind::integer:
      return read_integer(reading, node);
    case Kind::number:
      return read_number(reading, node);
    case Kind::text:
      return read_text(reading, node);
  }
  return {};
}

struct Write {
  YAML::Emitter& yaml;

  void operator()(bool value) const { yaml << value; }
  void operator()(const std::string& value) const { yaml << value; }
  template <class Number>
  void operator()(Number value) const {
    yaml << fmt::format("{}", value);
  }
};

}  // namespace

Value read_value(const Key& key, const ConfigEntry& entry) {
  const Reading reading{key, entry};
  const YamlNode& node = entry.value;
  if (node.is_null()) reading.fail(fmt::format("has no value: expected {}", expectation(key)));
  if (!key.is_list) return {read_scalar(reading, node)};
  const std::size_t length = key.length.value_or(node.items.size());
  if (!node.is_list() || node.items.size() != length || length == 0) reading.fail_with(found_text(node));
  Value value;
  for (const YamlNode& item : node.items) value.push_back(read_scalar(reading, item));
  return value;
}

void write_value(YAML::Emitter& yaml, const Key& key) {
  if (key.is_list) yaml << YAML::Flow << YAML::BeginSeq;
  for (const Scalar& scalar : key.get()) std::visit(Write{yaml}, scalar);
  if (key.is_list) yaml << YAML::EndSeq;
}

Json json_value(const Key& key) {
  Json list = Json::array();
  for (const Scalar& scalar : key.get()) {
    const Json value = std::visit([](const auto& held) { return Json(held); }, scalar);
    if (!key.is_list) return value;
    list.push(value);
  }
  return list;
}

}  // namespace tayra
