// Strict about types, ranges and choices; friendly about 1e3 as a whole number.
#include "io/config_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "core/nearest_name.hpp"
#include "core/number_in.hpp"
#include "core/printable.hpp"
#include "io/config_schema.hpp"

namespace tayra {
namespace {

/// A value being read, for messages.
struct Reading {
  const Parameter& key;
  const YamlNode& node;
  const std::string& place;

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ExitCode::bad_input, fmt::format("{}: {}: {}", place, key.name, problem));
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

void check_range(const Reading& reading, const YamlNode& node, double number) {
  const Range& range = reading.key.range;
  const bool inside = !(range.above && number <= *range.above) &&
                      !(range.at_least && number < *range.at_least) &&
                      !(range.below && number >= *range.below) && !(range.at_most && number > *range.at_most);
  if (!inside) reading.fail_with(found_text(node));
}

double read_number(const Reading& reading, const YamlNode& node) {
  const auto number = parse_number(node);
  if (!number) {
    const bool needless_quotes = node.is_scalar() && node.is_quoted;
    reading.fail_with(found_text(node), needless_quotes ? "a number stands without quotes; " : "");
  }
  check_range(reading, node, *number);
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

template <class Element>
std::vector<Element> read_list(const Reading& reading, Element (*read)(const Reading&, const YamlNode&)) {
  const YamlNode& node = reading.node;
  const std::size_t length = reading.key.length.value_or(static_cast<int>(node.items.size()));
  if (!node.is_list() || node.items.size() != length || length == 0) reading.fail_with(found_text(node));
  std::vector<Element> elements;
  for (const auto& element : node.items) elements.push_back(read(reading, element));
  return elements;
}

}  // namespace

Value read_value(const Parameter& key, const YamlNode& node, const std::string& place) {
  const Reading reading{key, node, place};
  if (node.is_null()) reading.fail(fmt::format("has no value: expected {}", expectation(key)));
  switch (key.kind) {
    case Kind::boolean:
      return read_boolean(reading, node);
    case Kind::integer:
      return read_integer(reading, node);
    case Kind::number:
      return read_number(reading, node);
    case Kind::text:
      return read_text(reading, node);
    case Kind::integers:
      return read_list<std::int64_t>(reading, read_integer);
    case Kind::numbers:
      return read_list<double>(reading, read_number);
    case Kind::texts:
      return read_list<std::string>(reading, read_text);
  }
  return {};
}

namespace {

struct Write {
  YAML::Emitter& yaml;

  void operator()(std::monostate) const { yaml << YAML::Null; }
  void operator()(bool value) const { yaml << value; }
  void operator()(std::int64_t value) const { yaml << fmt::format("{}", value); }
  void operator()(double value) const { yaml << fmt::format("{}", value); }
  void operator()(const std::string& value) const { yaml << value; }
  template <class Element>
  void operator()(const std::vector<Element>& values) const {
    yaml << YAML::Flow << YAML::BeginSeq;
    for (const auto& value : values) (*this)(value);
    yaml << YAML::EndSeq;
  }
};

}  // namespace

void write_value(YAML::Emitter& yaml, const Value& value) { std::visit(Write{yaml}, value); }

}  // namespace tayra
