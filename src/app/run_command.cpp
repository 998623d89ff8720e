// Words found by their place before or after `tayra run`.
#include "app/run_command.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

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

/// Where the launcher's own options begin; at the first word where it is not one that is known.
std::size_t launcher_in(std::span<const std::string> words) {
  constexpr std::array known{"mpirun", "mpiexec", "orterun", "prterun", "srun"};
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string_view name : known)
      if (std::filesystem::path(words[i]).filename() == name) return i;
  return 0;
}

bool is_force(const std::string& word) { return word == "--force" || word.starts_with("--force="); }

}  // namespace

RunCommand::RunCommand(Words words)
    : words_(std::move(words)),
      first_option_(first_option_of(words_)),
      options_(options_of({words_.begin() + static_cast<std::ptrdiff_t>(first_option_), words_.end()})) {}

std::optional<std::size_t> RunCommand::place_of_size() const {
  const std::span all(words_);
  const std::span before = all.first(first_option_);
  const std::size_t launcher = launcher_in(before);  // "nice -n 10 mpirun -n 4" starts four
  const auto ranks = find_value(before.subspan(launcher), {"-n", "-np", "--np", "--ntasks"});
  if (ranks) return launcher + *ranks;
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
  words.erase(std::remove_if(first, words.end(), is_force), words.end());
  // Behind "--" it would be taken for a file.
  if (!options_.resume) words.emplace(std::find(first, words.end(), "--"), "--resume");
  return RunCommand(words);
}

}  // namespace tayra
