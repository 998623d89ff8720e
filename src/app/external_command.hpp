// `tayra NAME …` runs the program tayra-NAME: beside this one, in ../libexec, or on PATH.
#pragma once

#include <string>
#include <vector>

namespace tayra {

/// Replaces this process; returns only when there is no such program.
void exec_external_command(const std::vector<std::string>& words);

/// The NAMEs that are there, sorted.
std::vector<std::string> external_commands();

}  // namespace tayra
