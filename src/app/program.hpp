// What the programs of Tayra have in common from start to end.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tayra {

/// Carries out the command of the app that the words name and returns the exit code. The one place that
/// catches: it turns an error into one message.
int run_program(CLI::App& app, const std::vector<std::string>& words);

}  // namespace tayra
