// Words found by their place before or after `tayra run`.
#include "app/run_command.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include "core/number_in.hpp"

namespace tayra {
namespace {

using Words = std::vector<std::string>;

std::size_t first_option_of(const Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (std::filesystem::path(words[i]).filename() == "tayra" && words[i + 1] == "run") return i + 2;
  throw Error(ExitCode::bad_input,
              "there is no 'tayra run' to supervise: write tayra supervise -- mpirun -n 4 tayra run CONFIG");
}

RunOptions options_of(Words words) {
  RunOptions options;
  CLI::App run("", "tayra run");
  add_run_options(run, options);
  std::reverse(words.begin(), words.end());  // CLI11 wants them last first
  try {
    run.parse(words);
  } catch (const CLI::CallForHelp&) {
    throw Error(ExitCode::bad_input, "tayra run --help is no run to supervise: give it by itself");
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::bad_input,
                std::string("the supervised tayra run: ") + error.what() + "; see tayra run --help");
  }
  return options;
}

/// Where a number begins in "4" or "--ntasks=4".
std::size_t start_of_value(const std::string& word) {
  const auto equals = word.find('=');
  return equals == std::string::npos ? 0 : equals + 1;
}

/// The word that holds the value of one of the options, its own ("--ntasks=4") or the next.
std::optional<std::size_t> find_value(std::span<const std::string> words, const Words& names) {
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string& name : names) {
      if (words[i] == name && i + 1 < words.size()) return i + 1;
      if (words[i].starts_with(name + "=")) return i;
    }
  return std::nullopt;
}

}  // namespace

RunCommand::RunCommand(Words words)
    : words_(std::move(words)),
      first_option_(first_option_of(words_)),
      options_(options_of({words_.begin() + static_cast<std::ptrdiff_t>(first_option_), words_.end()})) {}

std::optional<std::size_t> RunCommand::place_of_size() const {
  const std::span all(words_);
  const auto ranks = find_value(all.first(first_option_), {"-n", "-np", "--np", "--ntasks"});
  if (ranks) return ranks;
  const auto gpus = find_value(all.subspan(first_option_), {"--gpus"});
  return gpus ? std::optional(first_option_ + *gpus) : std::nullopt;
}

std::optional<int> RunCommand::size() const {
  const auto place = place_of_size();
  return place ? number_in<int>(words_[*place].substr(start_of_value(words_[*place]))) : std::nullopt;
}

RunCommand RunCommand::with_size(int size) const {
  if (!this->size()) return *this;
  Words words = words_;
  std::string& word = words[*place_of_size()];
  word = word.substr(0, start_of_value(word)) + std::to_string(size);
  return RunCommand(words);
}

RunCommand RunCommand::going_on() const {
  Words words = words_;
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(first_option_);
  words.erase(std::remove(first, words.end(), "--force"), words.end());
  if (!options_.resume) words.emplace_back("--resume");
  return RunCommand(words);
}

}  // namespace tayra
