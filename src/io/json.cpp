// JSON as text.
#include "io/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/printable.hpp"

namespace tayra {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

std::string escaped(char character) {
  switch (character) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(character);
  return code < 0x20 ? fmt::format("\\u{:04x}", code) : std::string(1, character);
}

void new_line(std::string& out, int depth) {
  out += '\n';
  out.append(static_cast<std::size_t>(2 * depth), ' ');
}

}  // namespace

std::string json_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char character : text) quoted += escaped(character);
  return quoted + '"';
}

Json Json::array() {
  Json json;
  json.value_ = Array{};
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object{};
  return json;
}

Json Json::object(std::vector<std::pair<std::string, Json>> entries) {
  Json json;
  json.value_ = std::move(entries);
  return json;
}

Json& Json::push(Json element) {
  std::get<Array>(value_).push_back(std::move(element));
  return *this;
}

Json& Json::set(std::string key, Json value) {
  auto& members = std::get<Object>(value_);
  const auto known =
      std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == key; });
  if (known == members.end())
    members.emplace_back(std::move(key), std::move(value));
  else
    known->second = std::move(value);
  return *this;
}

bool Json::is_plain() const {
  return !std::holds_alternative<Array>(value_) && !std::holds_alternative<Object>(value_);
}

void Json::write_array(std::string& out, int depth) const {
  const auto& elements = std::get<Array>(value_);
  const bool one_line =
      std::all_of(elements.begin(), elements.end(), [](const Json& j) { return j.is_plain(); });
  out += '[';
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += one_line ? ", " : ",";
    if (!one_line) new_line(out, depth + 1);
    elements[i].write(out, depth + 1);
  }
  if (!one_line) new_line(out, depth);
  out += ']';
}

void Json::write_object(std::string& out, int depth) const {
  const auto& members = std::get<Object>(value_);
  out += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0) out += ',';
    new_line(out, depth + 1);
    out += json_quoted(as_utf8(members[i].first)) + ": ";
    members[i].second.write(out, depth + 1);
  }
  if (!members.empty()) new_line(out, depth);
  out += '}';
}

void Json::write(std::string& out, int depth) const {
  std::visit(
      Overloaded{[&](std::monostate) { out += "null"; }, [&](bool value) { out += value ? "true" : "false"; },
                 [&](double value) { out += std::isfinite(value) ? fmt::format("{}", value) : "null"; },
                 [&](const std::string& value) { out += json_quoted(as_utf8(value)); },
                 [&](const Array&) { write_array(out, depth); },
                 [&](const Object&) { write_object(out, depth); },
                 [&](auto integer) { out += fmt::format("{}", integer); }},
      value_);
}

const Json* Json::find(const std::string& key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found =
      std::find_if(object->begin(), object->end(), [&](const auto& entry) { return entry.first == key; });
  return found == object->end() ? nullptr : &found->second;
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

std::vector<Json> Json::elements() const {
  const auto* array = std::get_if<Array>(&value_);
  return array == nullptr ? Array{} : *array;
}

std::vector<std::pair<std::string, Json>> Json::entries() const {
  const auto* object = std::get_if<Object>(&value_);
  return object == nullptr ? Object{} : *object;
}

std::string Json::text() const {
  std::string out;
  write(out, 0);
  return out;
}

}  // namespace tayra
