// JSON values, built in code and written as text; keys keep the order in which they were set.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tayra {

class Json {
 public:
  Json() = default;  // null
  template <std::same_as<bool> Bool>
  Json(Bool value) : value_(value) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Json(Integer value) : value_(widen(value)) {}
  Json(double value) : value_(value) {}  // not finite: written as null, as JSON has no such numbers
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  template <class Element>
  Json(const std::vector<Element>& elements) : value_(Array{}) {
    for (const auto& element : elements) push(Json(element));
  }

  static Json array();
  static Json object();
  /// With the entries as they are, though a key may be there twice.
  static Json object(std::vector<std::pair<std::string, Json>> entries);
  Json& push(Json element);                // of an array; returns the array
  Json& set(std::string key, Json value);  // of an object, replacing what the key had; returns the object

  /// Null where an object lacks the key, or where there is no object.
  const Json* find(const std::string& key) const;
  /// The same, but a null where there is none.
  const Json& operator[](const std::string& key) const;
  /// Of an array; none where there is no array.
  std::vector<Json> elements() const;
  /// Keys and values of an object; none where there is no object.
  std::vector<std::pair<std::string, Json>> entries() const;

  /// Of a text; null where there is none.
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  std::optional<std::int64_t> integer() const;
  std::optional<double> number() const;  // of an integer, too

  /// Indented by two blanks a level; arrays of plain values stay on one line. Ends without a line break.
  /// Always UTF-8: other bytes of texts are written as \xff.
  std::string text() const;

 private:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  using Value =
      std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  template <std::integral Integer>
  static Value widen(Integer value) {
    if constexpr (std::signed_integral<Integer>)
      return static_cast<std::int64_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }
  bool is_plain() const;
  void write(std::string& out, int depth) const;
  void write_array(std::string& out, int depth) const;
  void write_object(std::string& out, int depth) const;

  Value value_;
};

/// The text as a JSON string, quotes included; its bytes stay as they are, also those that are no UTF-8.
std::string json_quoted(const std::string& text);

}  // namespace tayra
