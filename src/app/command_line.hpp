// The command line: subcommands, and external commands as git has them.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"

namespace tayra {

/// `words`: the command line without the program's name. Throws Error for what went wrong.
ExitCode run_command_line(const std::vector<std::string>& words);

}  // namespace tayra
