// A program's command line: its subcommands, and external commands as git has them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tayra {

// `words`: the command line without the program's name.

/// Where the first word is no command of the app but names a program tayra-NAME, that one replaces this
/// process.
void become_other_program(const CLI::App& app, const std::vector<std::string>& words);

/// Throws Error for what went wrong. All ranks must call it together.
void run_command_line(CLI::App& app, const std::vector<std::string>& words);

}  // namespace tayra
