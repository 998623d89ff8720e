// Named, typed, documented keys: one table validates the config, fills its defaults and generates its JSON
// schema.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tayra {

using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<double>,
                           std::vector<std::int64_t>, std::vector<std::string>>;

enum class Kind { boolean, integer, number, text, numbers, integers, texts };

/// Limits of a number, or of each element of a list.
struct Range {
  std::optional<double> above = {};     // exclusive
  std::optional<double> at_least = {};  // inclusive
  std::optional<double> below = {};     // exclusive
  std::optional<double> at_most = {};   // inclusive
};

/// One key. A dot in the name is a level of nesting: "left.density".
struct Parameter {
  std::string name;
  std::string meaning;
  Kind kind;
  Value fallback = {};    // monostate: no default
  bool required = false;  // a key with neither default nor `required` may stay unset
  Range range = {};
  std::vector<std::string> choices = {};  // of a text or of each of several texts
  std::optional<int> length = {};         // of a list
  bool along_axes = false;                // one number for x, y, ...: 0 by default along an axis of one cell
};

/// Values by full key name, every one already checked against its Parameter.
class Parameters {
 public:
  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const;

  bool flag(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double number(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;

  const std::map<std::string, Value>& all() const { return values_; }

 private:
  std::map<std::string, Value> values_;
};

}  // namespace tayra
