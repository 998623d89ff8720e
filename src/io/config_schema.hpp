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
  /// The keys that all problems share; those of a part of the box are under the name NAME.
  ConfigSchema();
  /// Those, with what this problem takes and its defaults, for the parts of these names.
  explicit ConfigSchema(const ProblemEntry& problem, const std::vector<std::string>& parts = {});

  const std::vector<Parameter>& keys() const { return keys_; }
  /// Null when there is no such key.
  const Parameter* find(const std::string& key) const;
  bool is_section(const std::string& name) const;
  /// The names one level below a section, in the table's order; "" is the top.
  std::vector<std::string> names_in(const std::string& section) const;
  /// Those, and parts, of which this config may have none.
  std::vector<std::string> names_allowed_in(const std::string& section) const;

 private:
  Parameter& key(const std::string& name);

  std::vector<Parameter> keys_;
};

/// The section whose keys are names that the user gives.
inline constexpr const char* parts_section = "output.parts";

bool is_list(Kind kind);

/// "a number above 0 and at most 1".
std::string expectation(const Parameter& key);

std::vector<std::string> problem_names();

}  // namespace tayra
