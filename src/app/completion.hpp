// What a shell may complete a command line with.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tayra {

/// The word before a command line that is not to be carried out but completed.
inline constexpr const char* completion_word = "--complete";

/// What may stand in the place of the last word, which may be begun or empty: a line each, with its meaning
/// after a tab. The line ":files" stands for names of files. `commands`: what the first word may be.
std::string completions(const CLI::App& app, std::vector<std::string> words,
                        const std::vector<std::string>& commands);

/// Of the commands inside this one.
std::vector<std::string> command_names(const CLI::App& command);

/// What `tayra completion` knows.
std::vector<std::string> shell_names();

}  // namespace tayra
