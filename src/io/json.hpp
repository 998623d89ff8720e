// JSON values, built in code, written as text and read back; keys keep the order in which they were set.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tayra {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  template <std::integral Integer>
  Json(Integer value) : value_(std::conditional_t<std::same_as<Integer, bool>, bool, std::int64_t>(value)) {}
  Json(double value) : value_(value) {}  // not finite: written as null, as JSON has no such numbers
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  template <std::ranges::range List>
  requires(!std::convertible_to<List, std::string>) Json(const List& elements)
      : value_(Array(std::begin(elements), std::end(elements))) {}

  static Json array() { return Array(); }
  /// With the entries as they are, though a key may be there twice.
  static Json object(Object entries = {});
  Json& push(Json element);                // of an array; returns the array
  Json& set(std::string key, Json value);  // of an object, replacing what the key had; returns the object

  /// Null where an object lacks the key, or where there is no object.
  const Json* find(const std::string& key) const;
  /// The same, but a null where there is none.
  const Json& operator[](const std::string& key) const;
  /// Of an array; none where there is no array.
  const Array& elements() const;
  /// Keys and values of an object; none where there is no object.
  const Object& entries() const;

  /// Of a text; null where there is none.
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  std::optional<std::int64_t> integer() const;
  std::optional<double> number() const;  // of an integer, too

  /// Indented by two blanks a level; arrays of plain values stay on one line. Ends without a line break.
  /// Always UTF-8: other bytes of texts are written as \xff.
  std::string text() const;

 private:
  void write(std::string& out, int depth) const;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// The text as a JSON string, quotes included; its bytes stay as they are, also those that are no UTF-8.
std::string json_quoted(const std::string& text);

/// Null where the file is empty. Whoever wrote it, reading it ends soon. Throws Error(bad_input) when there
/// is no such file, or it holds no JSON or more than `most_mebibytes` of it: bench files have up to a quarter
/// of one.
Json read_json_file(const std::string& path, std::size_t most_mebibytes = 1);

}  // namespace tayra
