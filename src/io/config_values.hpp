// The values of a config document, checked against the table of keys, with its defaults where nothing is
// given.
#pragma once

#include <string>
#include <vector>

#include "io/config_document.hpp"
#include "io/config_schema.hpp"

namespace tayra {

/// The problem that the document names. Throws Error(bad_input), as read_values() does.
const ProblemEntry& chosen_problem(const std::string& file, const ConfigDocument& document);
/// The names that the user gave to parts of the box. Throws Error(bad_input) for one that is no file name.
std::vector<std::string> part_names(const ConfigDocument& document);
Parameters read_values(const std::string& file, const ConfigSchema& schema, const ConfigDocument& document);

}  // namespace tayra
