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

/// Of the option that word i is, if it is one of these: "-n 4", "--ntasks=4", "-n4".
std::optional<NumberPlace> number_of_option(std::span<const std::string> words, std::size_t i,
                                            const Words& names) {
  const std::string& word = words[i];
  for (const std::string& name : names) {
    if (word == name && i + 1 < words.size()) return NumberPlace{i + 1, 0};
    if (word.starts_with(name + "=")) return NumberPlace{i, name.size() + 1};
    const bool is_short = name.size() == 2;  // "-n"
    if (is_short && word.starts_with(name) && number_in<int>(word.substr(2))) return NumberPlace{i, 2};
  }
  return std::nullopt;
}

/// Whether a word starts one of these programs: "/opt/bin/mpirun.openmpi" starts mpirun.
bool starts_one_of(const std::string& word, std::span<const std::string_view> programs) {
  const std::string file = std::filesystem::path(word).filename();
  const std::string_view program = std::string_view(file).substr(0, file.find('.'));
  return std::find(programs.begin(), programs.end(), program) != programs.end();
}

/// How many ranks a launcher is told to start. The -n of nice is a priority.
std::optional<NumberPlace> number_of_ranks(std::span<const std::string> words) {
  constexpr std::array<std::string_view, 2> nice{"nice", "ionice"};
  constexpr std::array<std::string_view, 5> launchers{"mpirun", "mpiexec", "orterun", "prterun", "srun"};
  bool is_nice = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    is_nice = starts_one_of(words[i], nice) || (is_nice && !starts_one_of(words[i], launchers));
    if (is_nice) continue;
    if (const auto number = number_of_option(words, i, {"-n", "-np", "--np", "--ntasks"})) return number;
  }
  return std::nullopt;
}

bool is_force(const std::string& word) { return word == "--force" || word.starts_with("--force="); }

}  // namespace

RunCommand::RunCommand(Words words) : words_(std::move(words)), first_option_(first_option_of(words_)) {
  const std::span all(words_);
  options_ = options_of({words_.begin() + static_cast<std::ptrdiff_t>(first_option_), words_.end()});
  for (std::size_t i = first_option_; i < all.size() && !gpus_; ++i)
    gpus_ = number_of_option(all, i, {"--gpus"});
  const auto ranks = number_of_ranks(all.first(first_option_));
  size_ = ranks ? ranks : gpus_;
}

std::optional<int> RunCommand::size() const {
  return size_ ? number_in<int>(words_[size_->word].substr(size_->begin)) : std::nullopt;
}

RunCommand RunCommand::with_size(int size) const { return this->size() ? with_number(*size_, size) : *this; }

RunCommand RunCommand::with_gpus(int gpus) const {
  if (gpus_) return with_number(*gpus_, gpus);
  return with_options({"--gpus", std::to_string(gpus)});
}

RunCommand RunCommand::with_number(const NumberPlace& place, int number) const {
  Words words = words_;
  words[place.word].resize(place.begin);
  words[place.word] += std::to_string(number);
  return RunCommand(words);
}

RunCommand RunCommand::with_options(const Words& options) const {
  Words words = words_;
  const auto files = std::find(words.begin() + static_cast<std::ptrdiff_t>(first_option_), words.end(), "--");
  words.insert(files, options.begin(), options.end());
  return RunCommand(words);
}

RunCommand RunCommand::with_any_cut() const {
  const std::string cut = "run.cut_y=auto";
  return std::ranges::find(words_, cut) != words_.end() ? *this : with_options({"--set", cut});
}

RunCommand RunCommand::going_on() const {
  Words words = words_;
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(first_option_);
  const auto files = std::find(first, words.end(), "--");  // behind it
  words.erase(std::remove_if(first, files, is_force), files);
  const RunCommand without_force(words);
  return options_.resume ? without_force : without_force.with_options({"--resume"});
}

}  // namespace tayra
