// Every key of a config in one table: it validates the YAML, fills the defaults and generates the JSON
// schema.
#pragma once

#include <string>
#include <vector>

#include "core/parameters.hpp"
#include "solver/problem.hpp"

namespace tayra {

class ConfigSchema {
 public:
  /// The keys that all problems share.
  ConfigSchema();
  /// Those, with what this problem takes and its defaults.
  explicit ConfigSchema(const ProblemEntry& problem);

  const std::vector<Parameter>& keys() const { return keys_; }
  /// Null when there is no such key.
  const Parameter* find(const std::string& key) const;
  bool is_section(const std::string& name) const;
  /// The names one level below a section, in the table's order; "" is the top.
  std::vector<std::string> names_in(const std::string& section) const;

 private:
  Parameter& key(const std::string& name);

  std::vector<Parameter> keys_;
};

bool is_list(Kind kind);

/// "a number above 0 and at most 1".
std::string expectation(const Parameter& key);

std::vector<std::string> problem_names();

}  // namespace tayra
