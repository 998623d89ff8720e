// JSON as text. It is read by the reader of configs: every JSON text is YAML, too.
#include "io/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/number_in.hpp"
#include "core/printable.hpp"
#include "io/file.hpp"
#include "io/yaml_tree.hpp"

namespace tayra {
namespace {

std::string escaped(char character) {
  constexpr std::string_view named = "\"\\\n\r\t", names = "\"\\nrt";
  if (const auto place = named.find(character); place != named.npos) return {'\\', names[place]};
  const auto code = static_cast<unsigned char>(character);
  return code < 0x20 ? fmt::format("\\u{:04x}", code) : std::string(1, character);
}

/// Each item on a line of its own, or all on one.
template <class Items, class Write>
void write_items(std::string& out, const Items& items, bool one_line, int depth, const Write& write) {
  const auto new_line = [&out](int to) { out.append("\n").append(static_cast<std::size_t>(2 * to), ' '); };
  bool is_first = true;
  for (const auto& item : items) {
    if (!std::exchange(is_first, false)) out += one_line ? ", " : ",";
    if (!one_line) new_line(depth + 1);
    write(item);
  }
  if (!one_line && !is_first) new_line(depth);
}

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
  Json::Object entries;
  for (const auto& [key, value] : node.entries) entries.emplace_back(key.text, json_of(value));
  return Json::object(std::move(entries));
}

}  // namespace

std::string json_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char character : text) quoted += escaped(character);
  return quoted + '"';
}

Json Json::object(Object entries) {
  Json json;
  json.value_ = std::move(entries);
  return json;
}

Json& Json::push(Json element) {
  std::get<Array>(value_).push_back(std::move(element));
  return *this;
}

Json& Json::set(std::string key, Json value) {
  if (const Json* known = find(key))
    *const_cast<Json*>(known) = std::move(value);
  else
    std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
  return *this;
}

void Json::write(std::string& out, int depth) const {
  if (const auto* array = std::get_if<Array>(&value_)) {
    const bool plain = std::all_of(array->begin(), array->end(), [](const Json& element) {
      return !std::holds_alternative<Array>(element.value_) &&
             !std::holds_alternative<Object>(element.value_);
    });
    out += '[';
    write_items(out, *array, plain, depth, [&](const Json& element) { element.write(out, depth + 1); });
    out += ']';
  } else if (const auto* object = std::get_if<Object>(&value_)) {
    out += '{';
    write_items(out, *object, false, depth, [&](const auto& entry) {
      out += json_quoted(as_utf8(entry.first)) + ": ";
      entry.second.write(out, depth + 1);
    });
    out += '}';
  } else if (const std::string* held = string()) {
    out += json_quoted(as_utf8(*held));
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out += *truth ? "true" : "false";
  } else if (const auto whole = integer()) {
    out += fmt::format("{}", *whole);
  } else {
    const auto real = number();
    out += real && std::isfinite(*real) ? fmt::format("{}", *real) : "null";
  }
}

const Json* Json::find(const std::string& key) const {
  const auto found =
      std::find_if(entries().begin(), entries().end(), [&](const auto& entry) { return entry.first == key; });
  return found == entries().end() ? nullptr : &found->second;
}

const Json& Json::operator[](const std::string& key) const {
  static const Json null;
  const Json* found = find(key);
  return found == nullptr ? null : *found;
}

std::optional<std::int64_t> Json::integer() const {
  const auto* held = std::get_if<std::int64_t>(&value_);
  return held == nullptr ? std::nullopt : std::optional(*held);
}

std::optional<double> Json::number() const {
  if (const auto* held = std::get_if<double>(&value_)) return *held;
  return integer();
}

const Json::Array& Json::elements() const {
  static const Array none;
  const auto* array = std::get_if<Array>(&value_);
  return array == nullptr ? none : *array;
}

const Json::Object& Json::entries() const {
  static const Object none;
  const auto* object = std::get_if<Object>(&value_);
  return object == nullptr ? none : *object;
}

std::string Json::text() const {
  std::string out;
  write(out, 0);
  return out;
}

Json read_json_file(const std::string& path, std::size_t most_mebibytes) {
  const std::string problem = path + " can't be read as JSON";
  const auto text = text_of_small_file(path, most_mebibytes << 20);
  require(text.has_value(), ExitCode::bad_input,
          fmt::format("{} (it is no file of at most {} MiB, or closed to you)", problem, most_mebibytes));
  const auto root = parse_yaml(*text, [&](int line) { return fmt::format("{}, line {}", problem, line); });
  return json_of(root.value_or(YamlNode()));
}

}  // namespace tayra
